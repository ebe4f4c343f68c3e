import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Custom fields that the texts of rules and macros name are uses of them, also where these were saved before that was noted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A text stands by itself, as that of a note, or among the values of its action.
  await sql`
    with said as (
      select 'rule' as by_kind, rules.id as by_id, rule_versions.actions::jsonb, '' as reply_text
      from rules join rule_versions on rule_versions.rule_id = rules.id and rule_versions.version = rules.version
      union all
      select 'macro', id, actions, reply_text from macros),
    texts as (
      select by_kind, by_id, 'reply_text' as place, reply_text as text from said where reply_text <> ''
      union all
      select by_kind, by_id, format('actions.%s.%s', number - 1, kind), words.text
      from said
      cross join jsonb_array_elements(said.actions) with ordinality as listed(action, number)
      cross join jsonb_each(action) as each(kind, value)
      cross join lateral (
        select value #>> '{}' as text where jsonb_typeof(value) = 'string'
        union all
        select inner_value #>> '{}' from jsonb_each(case jsonb_typeof(value) when 'object' then value else '{}' end) as inside(name, inner_value)
        where jsonb_typeof(inner_value) = 'string' and name <> 'value') as words)
    insert into definition_uses (used_kind, used_id, by_kind, by_id, "where")
    select distinct 'field', fields.id, by_kind, by_id, place
    from texts
    cross join regexp_matches(text, '\\{\\{\\s*field\\.([a-z][a-z0-9_]{0,49})\\s*(?:\\|[^{}\\n]*)?\\}\\}', 'g') as named(keys)
    join fields on fields.key = keys[1]
    on conflict do nothing`.execute(db)
}
