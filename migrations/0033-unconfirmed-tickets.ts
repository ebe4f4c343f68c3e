import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/** Tickets written without a login for the address of an account; they are opened once the owner of the address confirms them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table unconfirmed_tickets (
      id bigint generated always as identity primary key,
      client_id bigint not null references clients on delete cascade,
      department_id bigint not null references departments on delete cascade,
      subject varchar(255) not null,
      message text not null,
      expires_at timestamptz not null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index unconfirmed_tickets_client_index on unconfirmed_tickets (client_id)`.execute(db)
  await sql`create index unconfirmed_tickets_department_index on unconfirmed_tickets (department_id)`.execute(db)
  await sql`create index unconfirmed_tickets_expires_index on unconfirmed_tickets (expires_at)`.execute(db)
}
