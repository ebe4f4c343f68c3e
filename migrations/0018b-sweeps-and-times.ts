import { type Kysely, sql } from 'kysely'

const changed = ['tickets', 'clients', 'staff', 'canned_replies']

/** Indexes for the hourly cleanup; and `updated_at` never goes back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index sessions_ended_index on sessions (ended_at) where ended_at is not null`.execute(db)
  await sql`create index sessions_living_index on sessions (created_at) where ended_at is null`.execute(db)
  await sql`create index letters_settled_index on letters (settled_at) where state <> 'queued'`.execute(db)

  // The clocks of two processes differ, and a writer that has waited for a lock brings an earlier time. The function is called only then.
  await sql`
    create function keep_updated_at() returns trigger language plpgsql as $$
    begin
      new.updated_at := old.updated_at;
      return new;
    end $$`.execute(db)
  for (const name of changed) {
    // Triggers run in the order of their names: those that copy the time come after this one.
    await sql`create trigger ${sql.ref(`${name}_keep_time`)} before update of updated_at on ${sql.table(name)}
      for each row when (new.updated_at < old.updated_at) execute function keep_updated_at()`.execute(db)
  }
}
