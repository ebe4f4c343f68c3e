import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { BooleanInput, Instant, OneOf } from '../../kit/schemas.ts'

const states = ['running', 'paused', 'breached'] as const

/** Tickets by their clocks: a clock that has not ended has to fit all that is given. */
export type DueFilter = Static<typeof DueFilter>
export const DueFilter = Type.Object(
  {
    before: Type.Optional({ ...Instant('2026-11-24T08:00:00Z'), description: 'It is due before that moment, or was.' }),
    states: Type.Optional(
      Type.Array(OneOf(states), {
        maxItems: states.length,
        'x-one': true,
        description: '`running`, `paused`, or `breached`: late, and running on. A list or a single value.',
        examples: [['running', 'breached']]
      })
    ),
    soon: Type.Optional({
      ...BooleanInput(1),
      description: '1: less than a quarter of its time is left, or it is late; 0: more is left.'
    })
  },
  { additionalProperties: false, examples: [{ before: '2026-11-24T08:00:00Z', states: ['running', 'breached'] }] }
)

/** The filter for a prepared query: its text depends on `kind` alone, and `values` are its parameters. */
export function compiledDueFilter({ before, states, soon }: DueFilter, now: Date) {
  return {
    kind: [before !== undefined, states, soon],
    values: { due_now: now, due_before: before && new Date(before) },
    fits(p: Readonly<Record<string, unknown>>): RawBuilder<boolean> {
      const isLate = sql`(breached_at is not null or due_at < ${p.due_now})`
      const ofState = {
        running: sql`(state = 'running' and not ${isLate})`,
        paused: sql`state = 'paused'`,
        breached: sql`(state = 'running' and ${isLate})`
      }
      const conditions = [sql`ended_at is null`]
      if (before !== undefined) conditions.push(sql`state = 'running' and due_at < ${p.due_before}`)
      if (states) conditions.push(anyOf(states.map(state => ofState[state])))
      if (soon !== undefined)
        conditions.push(sql`state = 'running' and soon_at ${soon ? sql`<=` : sql`>`} ${p.due_now}`)
      return sql<boolean>`tickets.id in (select ticket_id from sla_clocks where ${sql.join(conditions, sql` and `)})`
    }
  }
}

function anyOf(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql.lit(false) : sql`(${sql.join(conditions, sql` or `)})`
}
