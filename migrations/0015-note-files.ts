import { type Kysely, sql } from 'kysely'

/**
 * Files that belong to a note and not to the thread of a ticket. They have no `ticket_id`, so that no query on the files of a ticket can
 * ever return one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ticket_attachments
      alter ticket_id drop not null,
      add note_id bigint references ticket_notes on delete cascade,
      add constraint ticket_attachments_owner check (
        (ticket_id is not null and note_id is null) or (ticket_id is null and message_id is null and note_id is not null))`.execute(
    db
  )
  await sql`create index ticket_attachments_note_index on ticket_attachments (note_id, id)
    where note_id is not null`.execute(db)
}
