import { type Kysely, sql } from 'kysely'

/** What erasing a client needs to leave nothing of them: whom letters concern, and digests that the audit log's hashes cover. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table letters add client_id bigint references clients on delete cascade`.execute(db)
  await sql`create index letters_client_index on letters (client_id) where client_id is not null`.execute(db)

  await sql`
    alter table audit_log
      add actor_digest char(43),
      add change_digest char(43),
      add redaction_seal char(43),
      add check ((actor_digest is null) = (change_digest is null))`.execute(db)
}
