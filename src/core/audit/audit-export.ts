import { Readable } from 'node:stream'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { signedQuery, verifySignedQuery } from '../../platform/secrets/signed-links.ts'
import type { Session } from '../actor.ts'
import { insertEvents } from '../events/insert-events.ts'
import { sequence } from '../events/read-events.ts'
import { downloadLinkSeconds } from '../limits.ts'
import type { Services } from '../services.ts'
import { auditActorOf } from './audit-actor.ts'
import { filterOf, type SentFilter } from './audit-filter.ts'
import { auditCsv, auditCsvHeading, auditRowsBefore } from './audit-list.ts'

/** There is no such file, or no permission for it: the response is the same. */
export const AuditExportNotFound = failure(404, 'export_not_found', 'There is no such file')

/** The rows of a link, and who made it in which session. */
interface AuditExport {
  filter: SentFilter
  staff: number
  session: number
}

/** A link to the matching rows, valid for some minutes while its maker may read them. It is recorded in the audit log. */
export async function auditExportLink(
  services: Services,
  { id: session, actor }: Session,
  caller: Caller,
  filter: SentFilter
): Promise<{ url: string; expires_in: number }> {
  const subject = { type: 'audit_log', id: null } as const
  const event = { kind: 'audit.exported', subject, after: filter, by: auditActorOf(actor, caller) } as const
  await insertEvents(services.db, [event], services.clock.now())
  const facts = { filter: JSON.stringify(filter), staff: String(actor.id), session: String(session) }
  const query = signedQuery(services, { purpose, facts, seconds: downloadLinkSeconds })
  return { url: `${services.config.BASE_URL}/exports/audit?${query}`, expires_in: downloadLinkSeconds }
}

/** The export of a link; undefined if we did not sign it, or it has expired. */
export function auditExportAt(
  world: Pick<Services, 'keys' | 'realClock'>,
  query: Readonly<Record<string, unknown>>
): AuditExport | undefined {
  const facts = verifySignedQuery(world, { purpose, names: ['filter', 'staff', 'session'] }, query)
  return facts && { filter: JSON.parse(facts.filter), staff: Number(facts.staff), session: Number(facts.session) }
}

const purpose = 'audit export'

const batchSize = 500

/**
 * The matching rows as CSV, newest first. They are read in batches as the reader takes them, each in a statement of its own, so that an export of
 * years needs little memory and no long snapshot. Rows that are added after its beginning are left out.
 */
export function auditExport(services: Pick<Services, 'db' | 'events'>, filter: SentFilter): Readable {
  const { db } = services
  async function* batches() {
    await sequence(services)
    yield auditCsvHeading
    for (let before: number | undefined; ; ) {
      const rows = await auditRowsBefore(db, filterOf(filter), before, batchSize)
      if (rows.length > 0) yield auditCsv(rows)
      if (rows.length < batchSize) return
      before = rows.at(-1)!.id
    }
  }
  // At most one batch is read ahead.
  return Readable.from(batches(), { highWaterMark: 1 })
}
