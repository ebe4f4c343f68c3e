import { type Kysely, sql } from 'kysely'

/** Guesses are counted by account and network, and the network of a login is known afterwards. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Sorted by bytes, so that all keys that begin with an account are found by the index.
  await sql`alter table guesses alter column key type varchar(400) collate "C"`.execute(db)

  // Where the session was opened from, as guesses are counted: an IPv4 address or the first 64 bits of an IPv6 one.
  await sql`alter table sessions add column network varchar(45)`.execute(db)
  await sql`create index sessions_client_network_index on sessions (client_id, network) where client_id is not null`.execute(
    db
  )
  await sql`create index sessions_staff_network_index on sessions (staff_id, network) where staff_id is not null`.execute(
    db
  )
  // The new ones begin with the same column.
  await sql`drop index sessions_client_index`.execute(db)
  await sql`drop index sessions_staff_index`.execute(db)
}
