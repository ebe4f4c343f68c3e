import { type Command, InvalidArgumentError, Option } from 'commander'
import { type ListedLetter, recentLetters } from '../letters/recent-letters.ts'
import { timestamp } from '../lib/time.ts'
import { say, sayJson, withServices } from './world.ts'

export function lettersCommand(program: Command): void {
  program
    .command('letters')
    .description('list the newest letters and texts with what the other side last said')
    .addOption(new Option('--state <state>', 'only those in this state').choices(['queued', 'sent', 'failed']))
    .option('--limit <count>', 'how many at most', count, 50)
    .option('--json', 'as JSON')
    .action(({ json: isJson, ...options }: { json?: true; state?: ListedLetter['state']; limit: number }) =>
      withServices(async ({ db }) => {
        const letters = await recentLetters(db, options)
        if (isJson) return sayJson(letters)
        if (letters.length === 0) return say('There are none.')
        for (const line of table([headings, ...letters.map(cells)])) say(line)
      })
    )
}

const headings = ['ID', 'KIND', 'RECIPIENT', 'STATE', 'TRIES', 'POSTED', 'SETTLED', 'REQUEST', 'LAST ANSWER']

function cells(letter: ListedLetter): string[] {
  return [
    String(letter.id),
    letter.kind,
    letter.recipient,
    letter.state,
    String(letter.attempts),
    timestamp(letter.created_at),
    letter.settled_at ? timestamp(letter.settled_at) : '-',
    letter.request_id ?? '-',
    letter.last_answer ?? '-'
    // What somebody typed must not steer the terminal.
  ].map(cell => cell.replace(/\p{Cc}/gu, ''))
}

function table(rows: string[][]): string[] {
  const widths = headings.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
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
