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
    union all select 'organisation', id, name from organisations where id = ${ids('organisation')}
    union all select 'tag', id, name from tags where id = ${ids('tag')}
    union all select 'canned_reply', id, name from macros where id = ${ids('canned_reply')}
    union all select 'macro', id, name from macros where id = ${ids('macro')}
    union all select 'sla_policy', id, name from sla_policies where id = ${ids('sla_policy')}
    union all select 'field', id, label from fields where id = ${ids('field')}
    union all select 'ticket_form', id, name from ticket_forms where id = ${ids('ticket_form')}
    union all select 'rule', rules.id, says.name from rules join rule_versions as says
      on says.rule_id = rules.id and says.version = rules.version where rules.id = ${ids('rule')}
    union all select 'calendar', id, name from calendars where id = ${ids('calendar')}
    union all select 'article', texts.article_id, min(latest.title) from kb_texts as texts join kb_versions as latest
      on latest.article_id = texts.article_id and latest.locale = texts.locale and latest.version = texts.latest_version
      where texts.article_id = ${ids('article')} group by texts.article_id
    union all select 'article_category', category_id, min(name) from kb_category_texts
      where category_id = ${ids('article_category')} group by category_id
    union all select 'mailbox', id, address from connected_mailboxes where id = ${ids('mailbox')}
    union all select 'webhook', id, url from webhooks where id = ${ids('webhook')}`.execute(db)
  const names = new Map(rows.map(({ type, id, name }) => [`${type} ${id}`, name]))
  return ({ target_type, target_id }) => names.get(`${target_type} ${target_id}`) ?? null
}
