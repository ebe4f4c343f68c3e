import { type Kysely, sql } from 'kysely'

/** The results of virus scans, which decide whether a file may be downloaded. Existing files were accepted without a scanner and count as clean. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ticket_attachments
      add scan_state text not null default 'clean' check (scan_state in ('pending', 'clean', 'infected')),
      -- The last response of the scanner; null if none was asked.
      add scan_answer varchar(300),
      add scanned_at timestamptz`.execute(db)
  await sql`create index ticket_attachments_unclean_index on ticket_attachments (scan_state, created_at)
    where scan_state <> 'clean'`.execute(db)
}
