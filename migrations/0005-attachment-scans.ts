import { type Kysely, sql } from 'kysely'

/** Whether a file may be given out. What is there already was taken without a scanner, and stays as it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ticket_attachments
      add scan_state text not null default 'clean' check (scan_state in ('pending', 'clean', 'infected')),
      -- What the scanner said last; null where none was asked.
      add scan_answer varchar(300),
      add scanned_at timestamptz`.execute(db)
  await sql`create index ticket_attachments_unclean_index on ticket_attachments (scan_state, created_at)
    where scan_state <> 'clean'`.execute(db)
}
