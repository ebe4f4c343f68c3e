import { type Kysely, sql } from 'kysely'

/** Lets the erasure of a client leave nothing: the client of an e-mail, and digests in the audit log, which its hashes cover instead of names. */
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
