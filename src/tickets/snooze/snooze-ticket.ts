import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Act, ActServices } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { SnoozeKind } from '../../core/tables/snoozes.ts'
import { failure } from '../../kit/errors.ts'
import { type Change, changeTicket } from '../ticket/change-ticket.ts'
import type { LockedTicket } from '../ticket/locked-ticket.ts'
import { raiseVersion } from '../ticket/raise-version.ts'
import { Status } from '../ticket/schemas.ts'
import { endSnooze, type SnoozeFacts, withoutReason } from './end-snooze.ts'
import { type Until, wakeTime } from './wake-time.ts'

export const SnoozeRefused = failure(
  409,
  'snooze_refused',
  'A closed ticket cannot be snoozed',
  Type.Object({ status: Status })
)

/** Until when a ticket is to be snoozed, and why. */
export interface Snoozing extends Until {
  kind?: SnoozeKind | undefined
  reason?: string | undefined
}

/**
 * Snoozes a ticket for everybody: it leaves the open views until its time comes, its client writes, somebody is mentioned in a note or it is
 * assigned. It takes the place of a former snooze. Throws `SnoozeRefused` for a closed ticket, `MissingFields` and `InvalidFields` for its time,
 * and what `changeTicket` does.
 */
export async function snoozeTicket(services: ActServices, change: Change, { kind, reason, ...until }: Snoozing) {
  return await changeTicket(services, change, async (act, ticket) => {
    refuseClosed(ticket)
    const { id } = change.actor
    const time = await wakeTime(act.db, until, act.now)
    return await snoozeLocked(act, ticket, { ...time, kind: kind ?? 'own', reason: reason ?? '', staff_id: id })
  })
}

/** Throws `SnoozeRefused`. */
export function refuseClosed({ status }: Pick<LockedTicket, 'status'>): void {
  if (status === 'Closed') throw SnoozeRefused({ data: { status } })
}

/** Ends the snooze of a ticket; nothing happens to one that is not snoozed. Throws what `changeTicket` does. */
export async function unsnoozeTicket(services: ActServices, change: Change) {
  return await changeTicket(services, change, async (act, { id }) => {
    if (await endSnooze(act, id, 'staff')) await raiseVersion(act.db, { id })
    return undefined
  })
}

/** Snoozes a locked ticket, and returns the event. */
export async function snoozeLocked({ db, now }: Act, { id }: Pick<LockedTicket, 'id'>, snooze: SnoozeFacts) {
  const before = await snoozeFactsOf(db, id)
  const until = snooze.until === null ? null : new Date(snooze.until)
  await put(db, { ...snooze, until, id, now })
  await raiseVersion(db, { id })
  const logged = { ...(before && { before: withoutReason(before) }), after: withoutReason(snooze) }
  return { kind: 'ticket.snoozed' as const, before, after: snooze, logged }
}

/** The snooze of a ticket, as events record it. */
export async function snoozeFactsOf(db: Db, id: number): Promise<SnoozeFacts | null> {
  const [snooze] = await snoozeById(db, { id })
  return snooze ? { ...snooze, until: snooze.until?.toISOString() ?? null } : null
}

const snoozeById = prepared((db, p: { id: number }) =>
  db
    .selectFrom('snoozes')
    .where('ticket_id', '=', p.id)
    .where('woken_at', 'is', null)
    .select(['until', 'until_reply', 'kind', 'reason', 'staff_id'])
)

type NewSnooze = Omit<SnoozeFacts, 'until'> & { id: number; until: Date | null; now: Date }

const put = prepared((db, p: NewSnooze) => {
  const snooze = {
    until: p.until,
    until_reply: p.until_reply,
    kind: p.kind,
    reason: p.reason,
    // Whoever snoozed it may have been deleted, and the snooze come back by an undo.
    staff_id: sql<number | null>`(select id from staff where id = ${p.staff_id})`
  }
  return db
    .insertInto('snoozes')
    .values({ ticket_id: p.id, ...snooze, created_at: p.now })
    .onConflict(conflict => conflict.column('ticket_id').doUpdateSet({ ...snooze, created_at: p.now, woken_at: null }))
})
