import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { channelOf } from '../../tickets/conditions/channel.ts'
import {
  countedKinds,
  type Timeline,
  type TimelineClock,
  type TimelineEvent,
  type TimelineMessage
} from './count-ticket.ts'

/** The tickets with these ids that there are, each with all that happened to it. */
export async function readTimelines(db: Db, ids: readonly number[]): Promise<Timeline[]> {
  const tickets = await ticketRows(db, { ids })
  const events = Map.groupBy(await eventsOf(db, { ids, kinds: countedKinds }), ({ ticket_id }) => ticket_id)
  const clocks = Map.groupBy(await clocksOf(db, { ids }), ({ ticket_id }) => ticket_id)
  const surveys = Map.groupBy(await surveysOf(db, { ids }), ({ ticket_id }) => ticket_id)
  const older = ids.filter(id => !events.get(id)?.some(({ kind }) => kind === 'ticket.created'))
  const messages = Map.groupBy(
    older.length > 0 ? await messagesOf(db, { ids: older }) : [],
    ({ ticket_id }) => ticket_id
  )
  const authors = await authorsElsewhere(db, [...events.values()].flat())
  return tickets.map(ticket => ({
    ticket,
    events: events.get(ticket.id) ?? [],
    clocks: clocks.get(ticket.id) ?? [],
    surveys: surveys.get(ticket.id) ?? [],
    messages: messages.get(ticket.id) ?? [],
    authors
  }))
}

/** The events with which messages were written that have come from another ticket, by message. */
async function authorsElsewhere(db: Db, events: readonly TimelineEvent[]): Promise<Map<number, TimelineEvent>> {
  const sources = events.flatMap(({ after }) => after?.split_from?.id ?? [])
  const found =
    sources.length > 0 ? await eventsOf(db, { ids: sources, kinds: ['ticket.created', 'ticket.replied'] }) : []
  // What was split off twice was written in the first of them.
  const further = sources.length > 0 ? await eventsOf(db, { ids: sources, kinds: ['ticket.split'] }) : []
  const earlier = further.some(({ after }) => after?.split_from) ? await authorsElsewhere(db, further) : new Map()
  return new Map([
    ...earlier,
    ...found.flatMap(event => (event.after?.message_id === undefined ? [] : [[event.after.message_id, event] as const]))
  ])
}

interface Ids {
  ids: readonly number[]
}

const ticketRows = prepared((db, p: Ids) =>
  db
    .selectFrom('tickets')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['id', 'created_at', 'closed_at', 'status', 'department_id', 'priority', 'organisation_id'])
    .select(sql<string>`coalesce(${channelOf}, 'portal')`.as('channel'))
    .select(sql<boolean>`(trashed_at is not null or merged_into_id is not null)`.as('is_out'))
    .select(
      sql<number[] | null>`(select array_agg(tag_id order by tag_id) from ticket_tags where ticket_id = tickets.id)`.as(
        'tag_ids'
      )
    )
    .orderBy('id')
    // A ticket that is being erased is either gone here, or still whole in the reads that follow.
    .forKeyShare()
)

const eventsOf = prepared((db, p: Ids & { kinds: readonly string[] }) =>
  db
    .selectFrom('events')
    .where('ticket_id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where('kind', '=', sql<string>`any(${p.kinds}::varchar[])`)
    .select(['id', 'kind', 'created_at as at', 'actor_type', 'actor_id'])
    .select([
      sql<number>`ticket_id`.as('ticket_id'),
      sql<TimelineEvent['before']>`before`.as('before'),
      sql<TimelineEvent['after']>`after`.as('after')
    ])
    .orderBy('id')
)

const clocksOf = prepared((db, p: Ids) =>
  db
    .selectFrom('sla_clocks')
    .where('ticket_id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where(({ or, eb }) => or([eb('ended_at', 'is not', null), eb('breached_at', 'is not', null)]))
    .select(['ticket_id', 'metric', 'due_at', 'breached_at', 'ended_at', 'ended_by', 'outcome'])
    .orderBy('id')
    .$castTo<TimelineClock & { ticket_id: number }>()
)

const messagesOf = prepared((db, p: Ids) =>
  db
    .selectFrom('ticket_messages')
    .where('ticket_id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['ticket_id', 'created_at as at', 'staff_id'])
    .select(sql<boolean>`sender_type = 'client'`.as('is_of_client'))
    .orderBy('created_at')
    .orderBy('id')
    .$castTo<TimelineMessage & { ticket_id: number }>()
)

const surveysOf = prepared((db, p: Ids) =>
  db
    .selectFrom('csat_surveys')
    .where('ticket_id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where(({ or, eb }) => or([eb('sent_at', 'is not', null), eb('rating', 'is not', null)]))
    .select(['ticket_id', 'sent_at', 'rating', 'rated_at', 'credited_staff_id'])
    .orderBy('id')
)
