import { sql } from 'kysely'
import { countingCalendars } from '../../core/calendars/calendars.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import { channelOf, type channels } from '../conditions/channel.ts'
import type { Fact, Facts } from '../conditions/judge-in-memory.ts'

/** R1: what the event was as it was written, by the fields `event.*`. Those that have to be asked for are asked for if a rule names them. */
export async function eventFacts(db: Db, event: DeskEvent, named: ReadonlySet<string>): Promise<Facts> {
  const facts = ownFacts(event)
  const before = namesOfTags(event.before)
  const after = namesOfTags(event.after)
  if (named.has('event.before.tags') || named.has('event.after.tags')) {
    const ids = new Map((await tagIds(db, { names: [...before, ...after] })).map(({ name, id }) => [name, id]))
    const idsOf = (names: readonly string[]) => names.flatMap(name => ids.get(name) ?? [])
    Object.assign(facts, { 'event.before.tags': idsOf(before), 'event.after.tags': idsOf(after) })
  }
  for (const [field, ask] of Object.entries(asked)) {
    if (named.has(field)) Object.assign(facts, { [field]: await ask(db, event) })
  }
  return facts
}

/** What has to be asked for, by field. */
const asked: Readonly<Record<string, (db: Db, event: DeskEvent) => Promise<Fact>>> = {
  'event.channel': channelOfMessage,
  'event.message': textOfMessage,
  'event.message_words': async (db, event) => {
    const text = await textOfMessage(db, event)
    return text === null ? null : (text.match(/\S+/g) ?? []).length
  },
  'event.status_days': async (db, event) => {
    const [since] = await statusSince(db, { ticket: event.ticket_id!, place: event.id })
    return since?.at ? (event.at.getTime() - since.at.getTime()) / dayMilliseconds : null
  },
  'event.open_calendars': async (db, { at }) => {
    const ids = (await calendarIds(db, {})).map(({ id }) => id)
    const openAt = new Date(at.getTime() + 1)
    return [...(await countingCalendars(db, ids))].flatMap(([id, { open }]) =>
      open.between(at, openAt) > 0 ? [id] : []
    )
  }
}

const dayMilliseconds = 86_400_000

/** The fields for which the event alone does not suffice. */
export const askedFields: ReadonlySet<string> = new Set([
  ...Object.keys(asked),
  'event.before.tags',
  'event.after.tags'
])

/** The message that the event is about, if it is about one. */
export function messageOf({ kind, after }: Pick<DeskEvent, 'kind' | 'after'>): number | undefined {
  // With its ticket an event may have lost its facts.
  const facts = after as { message_id?: number } | null
  return kind === 'ticket.created' || kind === 'ticket.replied' ? facts?.message_id : undefined
}

/** What the event says itself. */
export function ownFacts(event: DeskEvent): Facts {
  const { kind, actor, cause } = event
  const facts: Record<string, Fact> = {
    'event.kind': kind,
    'event.actor': cause?.rule_id === undefined ? actor.type : 'rule'
  }
  for (const at of ['before', 'after'] as const) {
    for (const [name, value] of Object.entries(event[at] ?? {})) {
      if (name !== 'tags') facts[`event.${at}.${name}`] = value as Fact
    }
  }
  if (event.kind === 'ticket.field_changed') {
    // Conditions name a custom field by its id.
    for (const at of ['before', 'after'] as const) {
      const { field_id, value } = event[at]
      facts[`event.${at}.f${field_id}`] = (value ?? null) as Fact
    }
  }
  return facts
}

function namesOfTags(facts: unknown): readonly string[] {
  const tags = (facts as { tags?: readonly string[] } | null)?.tags
  return Array.isArray(tags) ? tags : []
}

/** What the message of the event says; null if it has none. */
async function textOfMessage(db: Db, event: DeskEvent): Promise<string | null> {
  const id = messageOf(event)
  return id === undefined ? null : ((await messageWithId(db, { id }))[0]?.message ?? null)
}

/** How the message of the event came; null if it has none. */
async function channelOfMessage(db: Db, event: DeskEvent): Promise<(typeof channels)[number] | null> {
  if (event.kind === 'ticket.created') return (await channelOfTicket(db, { id: event.ticket_id! }))[0]?.channel ?? null
  if (event.kind !== 'ticket.replied') return null
  if (event.after.sender_type !== 'client') return 'staff'
  const [mail] = await mailOf(db, { message: event.after.message_id })
  return mail ? 'email' : 'portal'
}

const tagIds = prepared((db, p: { names: readonly string[] }) =>
  db.selectFrom('tags').where('name', '=', sql<string>`any(${p.names}::text[])`).select(['id', 'name'])
)

const channelOfTicket = prepared((db, p: { id: number }) =>
  db.selectFrom('tickets').where('id', '=', p.id).select(channelOf.as('channel'))
)

const messageWithId = prepared((db, p: { id: number }) =>
  db.selectFrom('ticket_messages').where('id', '=', p.id).select('message')
)

/** Since when the ticket had the status that it had before this event. */
const statusSince = prepared((db, p: { ticket: number; place: number }) =>
  db.selectNoFrom(
    sql<Date | null>`coalesce(
      (select max(events.created_at) from events join event_places as place on place.event_id = events.id
        where events.ticket_id = ${p.ticket} and place.place < ${p.place}
          and events.after->>'status' is not null
          and events.after->>'status' is distinct from events.before->>'status'),
      (select created_at from tickets where id = ${p.ticket}))`.as('at')
  )
)

const calendarIds = prepared(db => db.selectFrom('calendars').select('id').orderBy('id'))

const mailOf = prepared((db, p: { message: number }) =>
  db.selectFrom('message_emails').where('message_id', '=', p.message).select('message_id').limit(1)
)
