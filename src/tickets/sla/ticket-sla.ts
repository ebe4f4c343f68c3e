import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { ownerOfName, tokenOfName } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Language } from '../../core/wording/languages.ts'
import { type Facts, type JudgedCondition, judge } from '../conditions/judge-in-memory.ts'
import { ticketFacts } from '../conditions/ticket-facts.ts'
import { type ValueName, valueNames } from '../conditions/value-names.ts'
import { visibleTicketNow } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { readerVisibility } from '../ticket/visibility.ts'
import { countedUntil, instantText } from './clock.ts'
import { clockNow } from './clock-now.ts'
import { earlierDues, stepsOf } from './clock-steps.ts'
import type { SlaClock, TicketClocks } from './clock-types.ts'
import { explanationText, reasonText, type Told } from './explain-clock.ts'
import { recomputingClocks } from './recomputations.ts'
import { slaPhrases } from './sla-phrases.ts'
import { endedClocks } from './stored-clocks.ts'
import type { ExplainedClock } from './ticket-sla-schema.ts'
import { ticketNow } from './ticket-timeline.ts'
import { type DeskPolicies, deskPolicies, factsAt, worldOf } from './world.ts'

/**
 * The clocks of a ticket that the actor sees, oldest first, and how each came to what it shows: also with what the reader of the log has not seen
 * yet. Throws `TicketNotFound`.
 */
export async function explainedClocks(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: StaffActor,
  ref: TicketRef,
  language: Language
): Promise<Static<typeof ExplainedClock>[]> {
  const ticket = await visibleTicketNow(db, readerVisibility(actor), ref, {})
  if (!ticket) throw TicketNotFound()
  const desk = await deskPolicies(db)
  const state = desk && (await ticketNow(db, desk, ticket.id))
  if (!desk || !state) return []
  const shown = await withEnded(db, ticket.id, state)
  const row = (await ticketFacts(db, [ticket.id])).get(ticket.id)
  const explain = await explainer(db, desk, { id: ticket.id, state, row, shown, now: clock.now(), language })
  return shown.map(explain)
}

/** The clocks of a ticket with those that have ended, oldest first. */
async function withEnded(db: Db, ticket: number, { clocks }: TicketClocks): Promise<SlaClock[]> {
  const known = new Set(clocks.map(({ id }) => id))
  const ended = (await endedClocks(db, ticket)).filter(({ id }) => !known.has(id))
  return [...ended, ...clocks].toSorted((one, other) => one.started_at - other.started_at)
}

interface Explained {
  id: number
  state: TicketClocks
  row: Facts | undefined
  shown: readonly SlaClock[]
  now: Date
  language: Language
}

async function explainer(db: Db, desk: DeskPolicies, { id, state, row, shown, now, language }: Explained) {
  const world = worldOf(desk, row)
  const phrases = slaPhrases[language]
  const causes = shown.flatMap(({ turns }) => turns.map(({ by }) => by))
  const events = new Map((await eventsWith(db, { ids: [...new Set(causes)] })).map(event => [event.id, event]))
  const tags = new Map((await tagNames(db, {})).map(({ id, name }) => [id, name]))
  const recomputing = await recomputingClocks(db, id, shown)
  const facts = factsAt(desk, row, state.facts, state.at)
  const names = await valueNames(
    db,
    desk.policies.map(({ conditions }) => conditions),
    facts
  )
  const calendarName = (id: number) => desk.calendars.get(id)?.name ?? `#${id}`

  return (clock: SlaClock): Static<typeof ExplainedClock> => {
    const calendar = desk.calendars.get(clock.calendar_id)
    const told: Told = {
      phrases,
      timeZone: calendar?.time_zone ?? 'UTC',
      calendarName,
      actorOf: by => (by === null ? null : nameOf(by)),
      openedAt: state.openedAt
    }
    const steps = stepsOf(world, clock, state.standing, now.getTime())
    const counted = countedUntil(world, clock, now.getTime())
    const isRecomputing = recomputing.has(clock)
    return {
      id: clock.id,
      metric: clock.metric,
      ...clockNow(world, clock, now.getTime()),
      started_at: instantText(clock.started_at),
      ended_at: instantText(clock.ended_at),
      due_at: instantText(clock.due_at),
      warn_at: instantText(clock.warn_at),
      breached_at: instantText(clock.breached_at),
      pause_reason: clock.pause_reason ?? (isNeverDue(clock) ? 'calendar_never_opens' : null),
      is_recomputing: isRecomputing,
      target: {
        minutes: clock.target_minutes,
        priority: clock.priority,
        calendar: { id: clock.calendar_id, name: calendarName(clock.calendar_id), time_zone: told.timeZone }
      },
      policy: policyOf(clock),
      steps: steps.map(({ from, to, kind, milliseconds, why }) => ({
        from: instantText(from),
        to: instantText(to),
        kind,
        minutes: milliseconds / 60_000,
        why: reasonText(why, told)
      })),
      earlier: earlierDues(clock).map(({ due, turn }) => ({
        due_at: instantText(due),
        changed_at: instantText(turn.at),
        cause: turn.what,
        event: events.get(turn.by)?.kind ?? null,
        by: nameOf(turn.by)
      })),
      text: explanationText(clock, steps, { counted, isRecomputing }, told)
    }
  }

  /** Whoever caused an event, and the API token by which they did, in the reader's language. */
  function nameOf(event: number): string | null {
    const name = events.get(event)?.actor_name
    if (name === undefined) return null
    const token = tokenOfName(name)
    return token === null ? name : phrases.byToken(ownerOfName(name), token)
  }

  function policyOf({ policy_id: id, policy_version: version }: SlaClock) {
    const policy = desk.policies.find(policy => policy.id === id)
    const before = policy ? desk.active.filter(({ position }) => position < policy.position) : []
    const fitted = policy ? judge(policy.conditions, facts, now).fitted.map(named) : []
    const passed_over = before.flatMap(({ id, name, conditions }) => {
      const { failed } = judge(conditions, facts, now)
      return failed ? [{ id, name, failed: named(failed) }] : []
    })
    const told = [...fitted, ...passed_over.map(({ failed }) => failed)]
    const isTold = ({ field, id }: ValueName) =>
      told.some(each => each.field === field && [each.value, each.actual].flat().includes(id))
    return { id, name: policy?.name ?? `#${id}`, version, fitted, passed_over, names: names.filter(isTold) }
  }

  /** A condition as the API has it: tags by name. */
  function named({ field, op, value, actual }: JudgedCondition) {
    return field === 'tags'
      ? { field, op, value: namesOf(value ?? null), actual: namesOf(actual) }
      : { field, op, value: value ?? null, actual }
  }

  function namesOf(ids: unknown): unknown {
    return Array.isArray(ids) ? ids.map(id => tags.get(id) ?? id) : ids
  }
}

/** S18. */
function isNeverDue({ ended_at, pause_reason, due_at }: SlaClock): boolean {
  return ended_at === null && pause_reason === null && due_at === null
}

const eventsWith = prepared((db, p: { ids: readonly number[] }) =>
  db.selectFrom('events').where('id', '=', sql<number>`any(${p.ids}::bigint[])`).select(['id', 'kind', 'actor_name'])
)

const tagNames = prepared(db => db.selectFrom('tags').select(['id', 'name']))
