import { type Kysely, sql } from 'kysely'

/** E-mail addresses of clients that staff have changed and nobody has confirmed yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // While there is a row, the client gets no reset links and no codes. 'former_email' is the address from before all unconfirmed changes.
  await sql`
    create table email_changes (
      id bigint generated always as identity primary key,
      client_id bigint not null unique references clients on delete cascade,
      former_email varchar(255) not null,
      created_at timestamptz not null default now()
    )`.execute(db)

  await sql`
    update permissions set description = 'Change the details of clients; nobody can reset the password by a new e-mail address '
      || 'before that is confirmed from the former one or by an admin'
    where slug = 'clients.edit'`.execute(db)
}
