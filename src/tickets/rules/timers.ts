import { type RawBuilder, sql } from 'kysely'
import { countingCalendars } from '../../core/calendars/calendars.ts'
import { type Db, prepared, preparedByKind } from '../../core/db.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import type { TimerBasis } from '../../core/tables/rules.ts'
import { anyPart } from '../ticket/merged-parts.ts'
import type { Rule, Timer } from './rule-types.ts'

/** Whether an event sets or removes a timer anew: what does not concern its basis leaves it, or leaves it fired. */
export function movesTimer({ basis, field_id }: Timer, event: DeskEvent): boolean {
  const { kind, before, after } = event
  if (movesMessages.has(kind)) return basis === 'last_client_message' || basis === 'last_reply'
  switch (basis) {
    case 'created':
      return kind === 'ticket.created'
    case 'last_client_message':
      return (kind === 'ticket.created' || kind === 'ticket.replied') && event.after.sender_type === 'client'
    case 'last_reply':
      // What is split off may bring replies along.
      if (kind === 'ticket.created' && event.after.is_split) return true
      return (kind === 'ticket.created' || kind === 'ticket.replied') && event.after.sender_type !== 'client'
    case 'status_since': {
      const status = (facts: unknown) => (facts as { status?: string } | null)?.status
      return status(after) !== undefined && status(after) !== status(before)
    }
    case 'sla_due':
      return kind.startsWith('sla.') && kind !== 'sla.warned' && kind !== 'sla.breached'
    // What is split off another ticket has its values.
    case 'date_field':
      return kind === 'ticket.created' || (kind === 'ticket.field_changed' && event.after.field_id === field_id)
    case 'snooze_end':
      // With its ticket an event may have lost the cause.
      return kind === 'ticket.snoozed' || (kind === 'ticket.woken' && event.after?.cause !== 'time')
  }
}

/** After these a ticket has other messages than before, with those of what is merged into it. */
const movesMessages: ReadonlySet<string> = new Set([
  'ticket.split',
  'ticket.unsplit',
  'ticket.absorbed',
  'ticket.released'
])

/** A rule with a timer. */
export interface TimerRule {
  rule_id: number
  trigger: { timer: Timer }
}

/** R8: sets the timers of a ticket whose basis an event has moved, and removes those that were set before, but for what is due at the same instant. */
export async function moveTimers(db: Db, event: DeskEvent, rules: readonly TimerRule[]): Promise<void> {
  const ticket = event.ticket_id!
  const [instants] = await basesOf(
    db,
    [ticket],
    rules.map(({ trigger }) => trigger.timer)
  )
  const dues: (Due & { rule_id: number })[] = []
  for (const { rule_id, trigger } of instants ? rules : []) {
    for (const due of await duesOf(db, trigger.timer, [instants!])) dues.push({ rule_id, ...due })
  }
  const ids = rules.map(({ rule_id }) => rule_id)
  await removeOthers(db, { ticket, rules: ids, dues: JSON.stringify(dues) })
  for (const { rule_id, ...due } of dues) {
    if (due.due_at > event.at || !leavesDue.has(event.kind))
      await setTimers(db, { rule: rule_id, basis: event.id, dues: JSON.stringify([due]) })
  }
}

/**
 * The time zone of the desk has changed: what still waits for a day falls due by the new zone, at once if that is over. What has fired stays done, for it
 * waits no more.
 */
export async function moveDays(db: Db, { rule_id: rule, trigger }: TimerRule): Promise<void> {
  const tickets = (await waitingTickets(db, { rule })).map(({ ticket_id: id }) => ({ id }))
  for (let at = 0; at < tickets.length; at += movedAtOnce) {
    const dues = await duesOf(db, trigger.timer, tickets.slice(at, at + movedAtOnce))
    if (dues.length > 0) await moveDues(db, { rule, dues: JSON.stringify(dues) })
  }
}

const movedAtOnce = 2_000

/** After these the time may be over for a clock that they do not concern. */
const leavesDue: ReadonlySet<string> = new Set([
  ...['sla.met', 'sla.dropped', 'sla.paused', 'sla.withdrawn'],
  ...movesMessages
])

/** R10: a rule that runs from now on has timers for what falls due after now, and on demand for what was due before; one that does not has none. */
export async function beginTimers(
  db: Db,
  { id, trigger, is_active, paused_reason }: Rule,
  now: Date,
  { takesExisting }: { takesExisting: boolean }
): Promise<void> {
  await endTimers(db, { id })
  if (trigger.timer && is_active && paused_reason === null) await beginFill(db, { id, now, takesExisting })
}

/** Removes the timers of a rule. */
export async function endTimers(db: Db, { id }: { id: number }): Promise<void> {
  await removeAll(db, { id })
  await removeFill(db, { id })
}

type Instants = { id: number } & Partial<Record<Exclude<TimerBasis, 'date_field'>, Date | null>>
export interface Due {
  ticket_id: number
  due_at: Date
}

/** When a timer falls due for each of these tickets. Missing are tickets without its basis, and instants in no year that the database knows. */
export async function duesOf(
  db: Db,
  { basis, minutes, direction, calendar_id, field_id }: Timer,
  tickets: readonly Instants[]
): Promise<Due[]> {
  const time = minutes * 60_000
  const days = basis === 'date_field' ? await daysOf(db, tickets, field_id!) : undefined
  const calendar = calendar_id ? (await countingCalendars(db, [calendar_id])).get(calendar_id) : undefined
  return tickets.flatMap(ticket => {
    const from = basis === 'date_field' ? days!.get(ticket.id) : ticket[basis]
    if (!from) return []
    const due_at = calendar?.open.add(from, time) ?? new Date(from.getTime() + (direction === 'before' ? -time : time))
    const year = due_at.getUTCFullYear()
    return year >= 1 && year <= 9999 ? [{ ticket_id: ticket.id, due_at }] : []
  })
}

/** From when these timers count of these tickets, by basis. Not of those in the trash, and of merged ones. */
export async function basesOf(db: Db, ids: readonly number[], timers: readonly Timer[]): Promise<Instants[]> {
  const named = new Set(timers.flatMap(({ basis }) => (basis === 'date_field' ? [] : basis)))
  const wanted = [...named].toSorted()
  // Only those that are asked for: some read all messages or events of a ticket.
  return await basesByKind(db, { ids }, wanted.join(' '), (db, p) =>
    db
      .selectFrom('tickets')
      .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
      .where('trashed_at', 'is', null)
      .where('merged_into_id', 'is', null)
      .select('id')
      .select(wanted.map(basis => bases[basis].as(basis)))
  )
}

const basesByKind = preparedByKind<{ ids: readonly number[] }, Instants>()

const bases: Record<keyof Omit<Instants, 'id'>, RawBuilder<Date | null>> = {
  created: sql`tickets.created_at`,
  last_client_message: lastMessage(sql`message.sender_type = 'client'`),
  last_reply: lastMessage(sql`message.sender_type <> 'client'`),
  status_since: sql`coalesce((select max(created_at) from events
    where events.ticket_id = tickets.id and events.after->>'status' is distinct from events.before->>'status'
      and events.after->>'status' is not null), tickets.created_at)`,
  sla_due: sql`(select min(due_at) from sla_clocks
    where sla_clocks.ticket_id = tickets.id and ended_at is null and state = 'running')`,
  snooze_end: sql`(select until from snoozes where snoozes.ticket_id = tickets.id and woken_at is null)`
}

/** Of a ticket with what is merged into it. */
function lastMessage(isMeant: RawBuilder<boolean>): RawBuilder<Date | null> {
  return sql`(select max(created_at) from ticket_messages as message where message.ticket_id = ${anyPart} and ${isMeant})`
}

/** When the days begin that these tickets have in a custom field, where the desk is. */
async function daysOf(db: Db, tickets: readonly Instants[], field: number): Promise<Map<number, Date>> {
  const { time_zone: zone } = (await settingsOf(db)).settings
  const rows = await daysIn(db, { ids: tickets.map(({ id }) => id), slot: `f${field}`, zone })
  return new Map(rows.map(({ ticket_id, begins }) => [ticket_id, begins]))
}

const daysIn = prepared((db, p: { ids: readonly number[]; slot: string; zone: string }) =>
  db
    .selectFrom('ticket_fields')
    .where('ticket_id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where(sql<boolean>`values ->> ${p.slot}::text is not null`)
    .select(['ticket_id', sql<Date>`(values ->> ${p.slot}::text)::date::timestamp at time zone ${p.zone}`.as('begins')])
)

const removeOthers = prepared((db, p: { ticket: number; rules: readonly number[]; dues: string }) =>
  db
    .deleteFrom('rule_timers')
    .where('ticket_id', '=', p.ticket)
    .where('rule_id', '=', sql<number>`any(${p.rules}::bigint[])`)
    .where(
      sql<boolean>`(rule_id, due_at) not in (select due.rule_id, due.due_at
        from json_to_recordset(${p.dues}::json) as due(rule_id bigint, due_at timestamptz))`
    )
)

/** Not for an instant for which the rule has run: what did not move its basis does not fire it again. */
export const setTimers = prepared((db, p: { rule: number; basis: number; dues: string }) =>
  db
    .insertInto('rule_timers')
    .columns(['rule_id', 'ticket_id', 'basis_event_id', 'due_at'])
    .expression(db =>
      db
        .selectFrom(
          sql<Due>`json_to_recordset(${p.dues}::json)`.as<'due'>(sql`due(ticket_id bigint, due_at timestamptz)`)
        )
        .where(
          sql<boolean>`not exists (select from rule_runs as run where run.ticket_id = due.ticket_id
            and run.rule_id = ${p.rule}::bigint and run.due_at = due.due_at and run.outcome not in ('watched', 'no_match'))`
        )
        .where(
          sql<boolean>`not exists (select from rule_timers_fired as fired where fired.ticket_id = due.ticket_id
            and fired.rule_id = ${p.rule}::bigint and fired.due_at = due.due_at)`
        )
        .where(
          sql<boolean>`not exists (select from rule_timers as timer
            where timer.ticket_id = due.ticket_id and timer.rule_id = ${p.rule}::bigint)`
        )
        .select([
          sql<number>`${p.rule}::bigint`.as('rule_id'),
          'due.ticket_id',
          sql<number>`${p.basis}::bigint`.as('basis_event_id'),
          'due.due_at'
        ])
    )
    .onConflict(conflict => conflict.doNothing())
)

const waitingTickets = prepared((db, p: { rule: number }) =>
  db.selectFrom('rule_timers').where('rule_id', '=', p.rule).select('ticket_id').orderBy('ticket_id')
)

const moveDues = prepared((db, p: { rule: number; dues: string }) =>
  db
    .updateTable('rule_timers')
    .from(sql<Due>`json_to_recordset(${p.dues}::json)`.as<'due'>(sql`due(ticket_id bigint, due_at timestamptz)`))
    .where('rule_timers.rule_id', '=', p.rule)
    .whereRef('rule_timers.ticket_id', '=', 'due.ticket_id')
    .set({ due_at: sql<Date>`due.due_at` })
)

const removeAll = prepared((db, p: { id: number }) => db.deleteFrom('rule_timers').where('rule_id', '=', p.id))

const removeFill = prepared((db, p: { id: number }) => db.deleteFrom('rule_fills').where('rule_id', '=', p.id))

const beginFill = prepared((db, p: { id: number; now: Date; takesExisting: boolean }) =>
  db.insertInto('rule_fills').values({ rule_id: p.id, since: p.now, takes_existing: p.takesExisting })
)
