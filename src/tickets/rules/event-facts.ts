import { sql } from 'kysely'
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
  if (named.has('event.channel')) Object.assign(facts, { 'event.channel': await channelOfMessage(db, event) })
  return facts
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
  return facts
}

function namesOfTags(facts: unknown): readonly string[] {
  const tags = (facts as { tags?: readonly string[] } | null)?.tags
  return Array.isArray(tags) ? tags : []
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

const mailOf = prepared((db, p: { message: number }) =>
  db.selectFrom('message_emails').where('message_id', '=', p.message).select('message_id').limit(1)
)
