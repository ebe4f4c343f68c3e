import { type Command, InvalidArgumentError, Option } from 'commander'
import { timestamp } from '../../lib/time.ts'
import { type ListedMessage, listOutbox } from '../../mail/outbox/list-outbox.ts'
import { printJson, printLine, withServices } from './with-services.ts'

export function outboxCommand(command: Command): void {
  command
    .addOption(new Option('--state <state>', 'only those in this state').choices(['queued', 'sent', 'failed']))
    .option('--limit <count>', 'how many at most', count, 50)
    .option('--json', 'as JSON')
    .action(({ json: isJson, ...options }: { json?: true; state?: ListedMessage['state']; limit: number }) =>
      withServices(async ({ db }) => {
        const emails = await listOutbox(db, options)
        if (isJson) return printJson(emails)
        if (emails.length === 0) return printLine('There are no messages.')
        for (const line of table([headings, ...emails.map(cells)])) printLine(line)
      })
    )
}

const headings = [
  'ID',
  'KIND',
  'RECIPIENT',
  'STATE',
  'TRIES',
  'POSTED',
  'SETTLED',
  'DELIVERY',
  'REQUEST',
  'LAST ANSWER'
]

function cells(email: ListedMessage): string[] {
  return [
    String(email.id),
    email.kind,
    email.recipient,
    email.state,
    String(email.attempts),
    timestamp(email.created_at),
    email.settled_at ? timestamp(email.settled_at) : '-',
    email.bounce_reason ? `not delivered: ${email.bounce_reason}` : (email.delivery ?? '-'),
    email.request_id ?? '-',
    email.last_answer ?? '-'
    // User input must not steer the terminal.
  ].map(cell => cell.replace(/\p{Cc}/gu, ''))
}

function table(rows: string[][]): string[] {
  const widths = headings.map((_, column) => rows.reduce((widest, row) => Math.max(widest, row[column]!.length), 0))
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  )
}

function count(given: string): number {
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given)
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999.')
}
