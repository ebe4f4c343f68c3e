import { type Kysely, sql } from 'kysely'
import { createFunctions } from './run-sql.ts'

export const oldestCode = '0002-search'

/** What definitions use, the conditions of saved views, and why the system wrote an event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table definition_uses (
    used_kind text not null,
    used_id bigint not null,
    by_kind text not null,
    by_id bigint not null,
    "where" text not null,
    primary key (used_kind, used_id, by_kind, by_id, "where")
  )`.execute(db)
  await sql`create index definition_uses_by_index on definition_uses (by_kind, by_id)`.execute(db)
  await createFunctions(db, ['forget_uses'])
  await sql`create trigger ticket_views_forget_uses after delete on ticket_views
    for each row execute function forget_uses('view')`.execute(db)
  // The version of the row for which they are valid: processes of the version before write the query alone.
  await sql`alter table ticket_views add column conditions json, add column conditions_version integer`.execute(db)
  await rewriteViews(db)
  await sql`alter table events add column cause json`.execute(db)
}

interface Condition {
  field: string
  op: string
  value?: unknown
}

/** The condition of each filter, in the order in which the queue has them. */
const conditionOf: Record<string, (value: unknown) => Condition> = {
  status: value => ({ field: 'status', op: 'in', value }),
  priority: value => ({ field: 'priority', op: 'in', value }),
  department_id: value => ({ field: 'department_id', op: 'is', value }),
  assigned_staff_id: value => ({ field: 'assigned_staff_id', op: 'is', value }),
  unassigned: value => ({ field: 'assigned_staff_id', op: value ? 'not_set' : 'is_set' }),
  client_id: value => ({ field: 'client_id', op: 'is', value }),
  tag: value => ({ field: 'tags', op: 'has_any', value: [value] }),
  tag_id: value => ({ field: 'tags', op: 'has_any', value: [value] }),
  created_from: value => ({ field: 'created_at', op: 'after', value: timeOf(value, 0) }),
  created_to: value => ({ field: 'created_at', op: 'before', value: timeOf(value, 1) }),
  updated_from: value => ({ field: 'updated_at', op: 'after', value: timeOf(value, 0) }),
  updated_to: value => ({ field: 'updated_at', op: 'before', value: timeOf(value, 1) }),
  watched: value => ({ field: 'watched', op: 'is', value }),
  waiting: value => ({ field: 'waiting_since', op: value ? 'is_set' : 'not_set' }),
  waiting_since: value => ({ field: 'waiting_since', op: 'before', value: timeOf(value, 1) })
}

const used: Record<string, string> = {
  department_id: 'department',
  assigned_staff_id: 'staff',
  client_id: 'client',
  tags: 'tag'
}

/** There are at most 50 views for each member of staff, and 50 shared ones. */
async function rewriteViews(db: Kysely<unknown>): Promise<void> {
  const { rows: views } = await sql<{ id: number; query: Record<string, unknown> }>`
    select id, query from ticket_views order by id for update`.execute(db)
  const { rows: tags } = await sql<{ id: number; name: string }>`select id, lower(name) as name from tags`.execute(db)
  const ids = new Map(tags.map(({ id, name }) => [name, Number(id)]))
  for (const { id, query } of views) {
    const all = Object.entries(conditionOf).flatMap(([name, condition]) => {
      const value = query[name]
      if (value === undefined) return []
      const tag = name === 'tag' ? ids.get(String(value).toLowerCase()) : undefined
      return [{ any: [condition(tag ?? value)] }]
    })
    await sql`update ticket_views set conditions = ${JSON.stringify({ all })}, conditions_version = version
      where id = ${id}`.execute(db)
    for (const [at, { any }] of all.entries()) {
      const { field, value } = any[0]!
      const [named] = [value].flat()
      if (!used[field] || typeof named !== 'number') continue
      await sql`insert into definition_uses (used_kind, used_id, by_kind, by_id, "where")
        values (${used[field]}, ${named}, 'view', ${id}, ${`conditions.all.${at}.any.0`})
        on conflict do nothing`.execute(db)
    }
  }
}

/** A day as it is, or the next; a time to the second, or the next second. */
function timeOf(value: unknown, later: 0 | 1): string {
  const [day, time] = String(value).slice(0, 19).split(/[ T]/)
  const moment = new Date(`${day}T${time ?? '00:00:00'}Z`).getTime() + later * (time ? 1_000 : 86_400_000)
  const text = new Date(Math.min(moment, Date.UTC(9999, 11, 31, 23, 59, 59))).toISOString().replace('T', ' ')
  return text.slice(0, time ? 19 : 10)
}
