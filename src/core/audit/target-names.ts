import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { AuditRow } from '../tables/audit.ts'

type Target = Pick<AuditRow, 'target_type' | 'target_id'>

/**
 * What the targets of audit entries are called now: a ticket by its number, a person by their name. Returns a function of a target; null for
 * what is gone, and for targets without a name.
 */
export async function targetNames(db: Db, targets: readonly Target[]): Promise<(target: Target) => string | null> {
  const ids = (type: string) =>
    sql`any(${targets.flatMap(target => (target.target_type === type ? (target.target_id ?? []) : []))}::bigint[])`
  const { rows } = await sql<{ type: string; id: number; name: string }>`
    select 'ticket' as type, id, ticket_number as name from tickets where id = ${ids('ticket')}
    union all select 'client', id, concat_ws(' ', first_name, last_name) from clients where id = ${ids('client')}
    union all select 'staff', id, concat_ws(' ', first_name, last_name) from staff where id = ${ids('staff')}
    union all select 'department', id, name from departments where id = ${ids('department')}
    union all select 'tag', id, name from tags where id = ${ids('tag')}
    union all select 'canned_reply', id, title from canned_replies where id = ${ids('canned_reply')}
    union all select 'webhook', id, url from webhooks where id = ${ids('webhook')}`.execute(db)
  const names = new Map(rows.map(({ type, id, name }) => [`${type} ${id}`, name]))
  return ({ target_type, target_id }) => names.get(`${target_type} ${target_id}`) ?? null
}
