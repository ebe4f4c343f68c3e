import { Readable } from 'node:stream'
import type { Session } from '../actor.ts'
import { insertEvents } from '../events/insert-events.ts'
import { sequence } from '../events/read-events.ts'
import type { Caller } from '../kit/caller.ts'
import { failure } from '../kit/errors.ts'
import { downloadLinkSeconds } from '../limits.ts'
import { signedQuery, verifySignedQuery } from '../platform/secrets/signed-links.ts'
import type { Services } from '../services.ts'
import { auditActorOf } from './audit-actor.ts'
import { filterOf, type SentFilter } from './audit-filter.ts'
import { auditCsv, auditCsvHeading, auditRowsBefore } from './audit-list.ts'

/** No such file, for whoever may not have it too. */
export const AuditExportNotFound = failure(404, 'export_not_found', 'There is no such file')

/** Which rows a link is for, and who made it in which session. */
interface AuditExport {
  filter: SentFilter
  staff: number
  session: number
}

/** A link to the rows that fit, for some minutes, as long as whoever made it may read them. The audit log tells of it. */
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

/** What a link is for that we signed, until a time that is still to come; undefined for any other. */
export function auditExportAt(
  world: Pick<Services, 'keys' | 'clock'>,
  query: Readonly<Record<string, unknown>>
): AuditExport | undefined {
  const facts = verifySignedQuery(world, { purpose, names: ['filter', 'staff', 'session'] }, query)
  return facts && { filter: JSON.parse(facts.filter), staff: Number(facts.staff), session: Number(facts.session) }
}

const purpose = 'audit export'

const batchSize = 500

/**
 * The rows that fit as CSV, newest first. They are read in batches as the reader takes them, each in a statement of its own: an export
 * of years holds neither memory nor a snapshot. What is written meanwhile is newer than its beginning, and so not in it.
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
  // One batch ahead of the reader, and no more.
  return Readable.from(batches(), { highWaterMark: 1 })
}
