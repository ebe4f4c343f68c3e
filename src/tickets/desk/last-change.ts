import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { csatEvents } from '../../core/events/catalogue/csat-events.ts'
import { slaEvents } from '../../core/events/catalogue/sla-events.ts'
import type { EventOf } from '../../core/events/catalogue.ts'
import type { SnoozeFacts } from '../snooze/end-snooze.ts'

/** A change as its event recorded it; `is_over`: something has changed the ticket since; `ended`: the snooze that it has ended. */
export type LastChange = EventOf<(typeof undoable)[number]> & {
  id: number
  is_over: boolean
  ended: SnoozeFacts | null
}

/**
 * The last change of a ticket by this staff member since then: one event or, of a macro or an update of several fields, all of its events, the
 * newest first. Notes, watchers, followers, links and deliveries of e-mails do not count as later changes.
 */
export async function lastChangesOf(db: Db, p: { id: number; staff: number; since: Date }): Promise<LastChange[]> {
  const [last] = await lastEventOf(db, p)
  if (!last) return []
  const { is_of_several, ...change } = last
  const others = is_of_several ? await othersOfChange(db, { last: change.id }) : []
  // What the macro has woken is told by `ended`.
  const all = [change, ...others].filter(({ kind }) => !is_of_several || kind !== 'ticket.woken')
  return all.map(each => ({ ...change, ...each })) as LastChange[]
}

const lastEventOf = prepared((db, p: { id: number; staff: number; since: Date }) =>
  db
    .selectFrom('events as own')
    .where('own.ticket_id', '=', p.id)
    .where('own.actor_type', '=', sql.lit('staff'))
    .where('own.actor_id', '=', p.staff)
    .where('own.created_at', '>=', p.since)
    .where(
      'own.kind',
      'in',
      undoable.map(kind => sql.lit(kind))
    )
    .select(({ exists, selectFrom }) => [
      'own.id',
      sql<LastChange['kind']>`own.kind`.as('kind'),
      sql<LastChange['before']>`own.before`.as('before'),
      sql<LastChange['after']>`own.after`.as('after'),
      sql<boolean>`(own.cause->>'macro_id' is not null or ${isOfUpdate('own')})`.as('is_of_several'),
      // Recorded by the same change, right before.
      selectFrom('events as woken')
        .whereRef('woken.ticket_id', '=', 'own.ticket_id')
        .whereRef('woken.id', '<', 'own.id')
        .where(isOfSameAct('woken', 'own'))
        .where('woken.kind', '=', sql.lit('ticket.woken'))
        .select(sql<SnoozeFacts>`woken.before`.as('before'))
        .orderBy('woken.id', 'desc')
        .limit(sql.lit(1))
        .as('ended'),
      exists(
        selectFrom('events as later')
          .whereRef('later.ticket_id', '=', 'own.ticket_id')
          .whereRef('later.id', '>', 'own.id')
          .where(
            'later.kind',
            'not in',
            changeNothing.map(kind => sql.lit(kind))
          )
          .where(sql<boolean>`not (${isOfSameChange('later', 'own')})`)
          .select('later.id')
      )
        .$castTo<boolean>()
        .as('is_over')
    ])
    .orderBy('own.id', 'desc')
    .limit(sql.lit(1))
)

/** The other events of the write that recorded this one, the newest first. */
const othersOfChange = prepared((db, p: { last: number }) =>
  db
    .selectFrom('events as own')
    .innerJoin('events as last', 'last.ticket_id', 'own.ticket_id')
    .where('last.id', '=', p.last)
    .whereRef('own.id', '<', 'last.id')
    .where(
      'own.kind',
      'in',
      undoable.map(kind => sql.lit(kind))
    )
    .where(isOfSameChange('own', 'last'))
    .select(['own.id', 'own.kind', 'own.before', 'own.after'])
    .orderBy('own.id', 'desc')
)

/** Whether both events were recorded by one write of one macro, or by one update of fields. */
function isOfSameChange(one: string, other: string) {
  const of = (event: string, column: string) => sql.ref(`${event}.${column}`)
  return sql<boolean>`(${isOfSameAct(one, other)}
    and (${of(one, 'cause')}->>'macro_id' = ${of(other, 'cause')}->>'macro_id'
      or (${isOfUpdate(one)} and ${isOfUpdate(other)}))) is true`
}

/** An act has one moment, one actor and one request: others may fall into the same moment. */
function isOfSameAct(one: string, other: string) {
  const same = ['created_at', 'actor_type', 'actor_id', 'request_id'].map(
    column => sql`${sql.ref(`${one}.${column}`)} is not distinct from ${sql.ref(`${other}.${column}`)}`
  )
  return sql<boolean>`(${sql.join(same, sql` and `)})`
}

function isOfUpdate(event: string) {
  return sql<boolean>`${sql.ref(`${event}.kind`)} in ('ticket.updated', 'ticket.field_changed')`
}

const undoable = [
  ...(['ticket.status_changed', 'ticket.updated', 'ticket.assigned', 'ticket.tagged'] as const),
  ...(['ticket.linked', 'ticket.unlinked', 'ticket.split', 'ticket.field_changed'] as const),
  ...(['ticket.snoozed', 'ticket.woken'] as const)
] as const
const ofReaders = { ...slaEvents, ...csatEvents }
const kindsOfReaders = Object.keys(ofReaders) as (keyof typeof ofReaders)[]
const changeNothing = [
  ...(['ticket.noted', 'ticket.watched', 'ticket.unwatched'] as const),
  ...(['ticket.client_emailed', 'ticket.staff_notified', 'ticket.webhook_called'] as const),
  ...(['ticket.follower_added', 'ticket.follower_removed', 'ticket.delivery_changed'] as const),
  ...([
    'ticket.linked',
    'ticket.unlinked',
    'ticket.timer_removed',
    'ticket.draft_taken',
    'ticket.emails_turned_on'
  ] as const),
  // What clocks count and clients say is no change of the ticket.
  ...kindsOfReaders
]
