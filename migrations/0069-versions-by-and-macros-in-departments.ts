import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Who saved a version of a rule; in which departments a macro is offered, and when it was used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: a budget paused it, it came from before, or whoever it was is deleted.
  await sql`alter table rule_versions add column staff_id bigint references staff on delete set null`.execute(db)
  await sql`create index rule_versions_staff_index on rule_versions (staff_id)`.execute(db)
  // None: in all departments.
  await sql`alter table macros add column deptids bigint[] default '{}' not null`.execute(db)
  await sql`drop trigger macros_version on macros`.execute(db)
  await sql`create trigger macros_version
    before update of staff_id, name, reply_text, actions, deptids on macros
    for each row when ((old.staff_id, old.name, old.reply_text, old.actions, old.deptids)
      is distinct from (new.staff_id, new.name, new.reply_text, new.actions, new.deptids))
    execute function raise_version()`.execute(db)
  // The kinds of its actions that are not done with the reply that waits.
  await sql`alter table waiting_replies add column macro_without text[] default '{}' not null`.execute(db)
  await sql`
    create table macro_uses (
      id bigint generated always as identity primary key,
      macro_id bigint not null references macros on delete cascade,
      at timestamptz not null
    )`.execute(db)
  await sql`create index macro_uses_macro_index on macro_uses (macro_id, at)`.execute(db)
  await sql`create index macro_uses_at_index on macro_uses (at)`.execute(db)
}
