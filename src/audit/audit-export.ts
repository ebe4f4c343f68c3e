import { Readable } from 'node:stream'
import type { StaffActor } from '../actor.ts'
import type { Caller } from '../kit/endpoint.ts'
import { downloadLinkSeconds } from '../limits.ts'
import { transaction } from '../platform/db/open.ts'
import { sameSecret } from '../platform/secrets/same-secret.ts'
import type { Services } from '../services.ts'
import { auditActorOf } from './audit-actor.ts'
import { filterOf, type SentFilter } from './audit-filter.ts'
import { auditCsv, auditCsvHeading, auditRowsBefore } from './audit-list.ts'
import { record } from './record.ts'

/** Which rows a link is for, and who made it in which session. */
interface AuditExport {
  filter: SentFilter
  staff: number
  session: number
}

/** A link to the rows that fit, for some minutes, as long as whoever made it may read them. The audit log tells of it. */
export async function auditExportLink(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  filter: SentFilter
): Promise<{ url: string; expires_in: number }> {
  await transaction(services.db, db =>
    record(services, db, auditActorOf(actor, caller), {
      action: 'audit.exported',
      target: { type: 'audit_log', id: null },
      after: filter
    })
  )
  const { keys, clock, config } = services
  const facts = {
    filter: JSON.stringify(filter),
    staff: String(actor.id),
    session: String(actor.sessionId),
    expires: String(Math.floor(clock.now().getTime() / 1000) + downloadLinkSeconds)
  }
  const query = new URLSearchParams({ ...facts, signature: keys.digest(purpose, signed(facts)) })
  return { url: `${config.BASE_URL}/exports/audit?${query}`, expires_in: downloadLinkSeconds }
}

/** What a link is for that we signed, until a time that is still to come; undefined for any other. */
export function auditExportAt(
  { keys, clock }: Pick<Services, 'keys' | 'clock'>,
  { filter, staff, session, expires, signature }: Record<string, unknown>
): AuditExport | undefined {
  const facts = { filter, staff, session, expires }
  if (!areTexts(facts) || typeof signature !== 'string') return undefined
  // Nothing is read of what we did not sign.
  if (!keys.digests(purpose, signed(facts)).some(digest => sameSecret(digest, signature))) return undefined
  if (Number(facts.expires) * 1000 <= clock.now().getTime()) return undefined
  return { filter: JSON.parse(facts.filter), staff: Number(facts.staff), session: Number(facts.session) }
}

const purpose = 'audit export'

type Facts = Record<'filter' | 'staff' | 'session' | 'expires', string>

function signed({ filter, staff, session, expires }: Facts): string {
  return JSON.stringify([filter, staff, session, expires])
}

function areTexts(facts: Record<keyof Facts, unknown>): facts is Facts {
  return Object.values(facts).every(fact => typeof fact === 'string')
}

const batchSize = 500

/**
 * The rows that fit as CSV, newest first. They are read in batches as the reader takes them, each in a statement of its own: an export
 * of years holds neither memory nor a snapshot. What is written meanwhile is newer than its beginning, and so not in it.
 */
export function auditExport({ db }: Pick<Services, 'db'>, filter: SentFilter): Readable {
  async function* batches() {
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
