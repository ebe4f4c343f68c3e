import { type Kysely, sql } from 'kysely'

/** Failed attempts are counted by account and network, and a session stores the network from which it was opened. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // This collation sorts by bytes, so that the index finds all keys that begin with an account.
  await sql`alter table guesses alter column key type varchar(400) collate "C"`.execute(db)

  // The network as failed attempts are counted: an IPv4 address, or the first 64 bits of an IPv6 address.
  await sql`alter table sessions add column network varchar(45)`.execute(db)
  await sql`create index sessions_client_network_index on sessions (client_id, network) where client_id is not null`.execute(
    db
  )
  await sql`create index sessions_staff_network_index on sessions (staff_id, network) where staff_id is not null`.execute(
    db
  )
  // The new indexes begin with the same columns.
  await sql`drop index sessions_client_index`.execute(db)
  await sql`drop index sessions_staff_index`.execute(db)
}
