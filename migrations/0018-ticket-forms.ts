import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Ticket forms: which custom fields are asked in which departments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ticket_forms (
      id bigint generated always as identity primary key,
      name varchar(100) not null check (name <> ''),
      -- Departments by their deptid; each has one form that is not archived.
      deptids bigint[] not null,
      -- In their order: field_id, required (0 or 1), and show_if (null, or field_id and in).
      items json not null,
      -- It is for all departments that have no form of their own.
      is_default boolean not null,
      is_archived boolean default false not null,
      version integer default 1 not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      check (not (is_default and is_archived))
    )`.execute(db)
  await sql`create unique index ticket_forms_default_key on ticket_forms (is_default) where is_default`.execute(db)
  await sql`create trigger ticket_forms_forget_uses after delete on ticket_forms
    for each row execute function forget_uses('ticket_form')`.execute(db)
}
