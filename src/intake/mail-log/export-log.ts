import { Readable } from 'node:stream'
import type { Session } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { downloadLinkSeconds } from '../../core/limits.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import { maxId } from '../../kit/schemas.ts'
import { csvCell } from '../../lib/csv-cell.ts'
import { signedQuery, verifySignedQuery } from '../../platform/secrets/signed-links.ts'
import { requireAllTickets } from '../mailbox/held-mails.ts'
import { logFilterOf, loggedMailView, type SentLogFilter } from './log-schemas.ts'
import { type LoggedMail, loggedBefore } from './logged-mails.ts'

/** There is no such file, or no permission for it: the response is the same. */
export const MailExportNotFound = failure(404, 'export_not_found', 'There is no such file')

const purpose = 'mail log export'

/** A link to the matching rows, valid for some minutes while its maker may read them. It is recorded in the audit log. Throws `Forbidden`. */
export async function mailExportLink(
  services: Services,
  { id: session, actor }: Session,
  caller: Origin,
  filter: SentLogFilter
): Promise<{ url: string; expires_in: number }> {
  if (actor.population !== 'staff') throw MailExportNotFound()
  requireAllTickets(actor)
  await act(services, { actor, caller }, async act => {
    // What was searched for may name people.
    const { search: _, address: __, ...after } = filter
    act.happened({ kind: 'mail.log_exported', subject: { type: 'mail_log', id: null }, after })
  })
  const facts = { filter: JSON.stringify(filter), staff: String(actor.id), session: String(session) }
  const query = signedQuery(services, { purpose, facts, seconds: downloadLinkSeconds })
  return { url: `${services.config.BASE_URL}/exports/mail-log?${query}`, expires_in: downloadLinkSeconds }
}

/** The export of a link; undefined if we did not sign it, or it has expired. */
export function mailExportAt(
  world: Pick<Services, 'keys' | 'realClock'>,
  query: Readonly<Record<string, unknown>>
): { filter: SentLogFilter; staff: number; session: number } | undefined {
  const facts = verifySignedQuery(world, { purpose, names: ['filter', 'staff', 'session'] }, query)
  return facts && { filter: JSON.parse(facts.filter), staff: Number(facts.staff), session: Number(facts.session) }
}

const batchSize = 500

/** The matching rows as CSV, newest first, in batches as the reader takes them. Rows that are added after its beginning are left out. */
export function mailExport({ db, clock }: Pick<Services, 'db' | 'clock'>, sent: SentLogFilter): Readable {
  const filter = logFilterOf(sent, clock.now())
  async function* batches() {
    yield `${columns.join(',')}\r\n`
    for (let before = maxId; ; ) {
      const mails = await loggedBefore(db, filter, before, batchSize)
      if (mails.length > 0) yield mails.map(csvRow).join('')
      if (mails.length < batchSize) return
      before = mails.at(-1)!.id
    }
  }
  // At most one batch is read ahead.
  return Readable.from(batches(), { highWaterMark: 1 })
}

const columns = [
  ...(['id', 'direction', 'at', 'from', 'to', 'subject', 'size', 'outcome', 'reason', 'verdict'] as const),
  ...(['ticket_number', 'message_id'] as const)
]

function csvRow(mail: LoggedMail): string {
  const { to, ...view } = loggedMailView(mail)
  const row = { ...view, to: to.join(', '), message_id: mail.message_ref }
  return `${columns.map(column => csvCell(row[column])).join(',')}\r\n`
}
