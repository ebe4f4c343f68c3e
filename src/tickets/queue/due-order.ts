import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { VisibleTickets } from '../ticket/visibility.ts'
import type { CursorPosition, Order } from './cursor.ts'

/**
 * The ids of these tickets with what they are sorted by, `reach` of them: by when the first of their clocks is due, and last those for which none
 * runs. Both parts walk an index, the second only as far as the first leaves room.
 */
export function byDueTime(
  db: Db,
  tickets: VisibleTickets,
  direction: Order['direction'],
  { after, reach }: { after: CursorPosition | undefined; reach: RawBuilder<number> }
) {
  const none = sql<Date>`${sql.lit(direction === 'asc' ? 'infinity' : '-infinity')}::timestamptz`
  const comparison = direction === 'asc' ? sql`>` : sql`<`
  const behind = (key: RawBuilder<unknown>) =>
    after
      ? sql<boolean>`(${key}, tickets.id) ${comparison} (${after.key}::timestamptz, ${after.id}::bigint)`
      : sql.lit(true)
  const due = sql.ref<Date>('sla_clocks.due_at')
  return db
    .with('timed', () =>
      tickets
        .innerJoin('sla_clocks', join => join.onRef('sla_clocks.ticket_id', '=', 'tickets.id').on(runs('sla_clocks')))
        .where(sql<boolean>`not exists (select from sla_clocks as earlier where earlier.ticket_id = tickets.id
          and ${runs('earlier')} and (earlier.due_at, earlier.id) < (sla_clocks.due_at, sla_clocks.id))`)
        .where(behind(due))
        .select(['tickets.id', due.as('sort')])
        .orderBy('sla_clocks.due_at', direction)
        .orderBy('tickets.id', direction)
        .limit(reach)
    )
    .with('untimed', () =>
      tickets
        .where(
          sql<boolean>`not exists (select from sla_clocks where sla_clocks.ticket_id = tickets.id and ${runs('sla_clocks')})`
        )
        .where(behind(none))
        .select(['tickets.id', none.as('sort')])
        .orderBy('tickets.id', direction)
        .limit(sql<number>`(select ${reach} - count(*) from timed)`)
    )
    .selectFrom('timed')
    .select(['timed.id', 'timed.sort'])
    .unionAll(db => db.selectFrom('untimed').select(['untimed.id', 'untimed.sort']))
}

function runs(name: string): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${name}.${column}`)
  return sql<boolean>`${of('state')} = 'running' and ${of('ended_at')} is null and ${of('due_at')} is not null`
}
