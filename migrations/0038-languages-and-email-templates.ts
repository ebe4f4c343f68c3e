import { type Kysely, sql } from 'kysely'

/** Older code sends everybody e-mails in English with its own texts, and backs the new table up like every table. */
export const oldestCode = '0033-unconfirmed-tickets'

/** The language of a person's e-mails, null for that of the desk; and the e-mail templates that admins have changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['clients', 'staff']) {
    await sql`alter table ${sql.table(table)} add language text`.execute(db)
    // Every row has null, so nothing needs to be checked while the table is locked.
    await sql`
      alter table ${sql.table(table)} add constraint ${sql.ref(`${table}_language_check`)}
      check (language in ('en', 'de')) not valid`.execute(db)
  }
  await sql`
    create table email_templates (
      name text not null,
      language text not null check (language in ('en', 'de')),
      subject text not null check (char_length(subject) between 1 and 200),
      text text not null check (char_length(text) between 1 and 10000),
      updated_at timestamptz not null,
      primary key (name, language)
    )`.execute(db)
}
