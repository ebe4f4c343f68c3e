import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** The e-mails that rules sent, which count against the budgets when the rule, its runs or the ticket are gone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rule_emails (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      -- Whose ticket it was; null: they are gone.
      client_id bigint references clients on delete set null,
      -- How many went to the client, and how many to anybody.
      client_emails integer not null,
      emails integer not null
    )`.execute(db)
  await sql`create index rule_emails_client_index on rule_emails (client_id, at)`.execute(db)
  await sql`create index rule_emails_at_index on rule_emails (at)`.execute(db)
  await sql`
    insert into rule_emails (at, client_id, client_emails, emails)
    select run.at, tickets.client_id, run.client_emails, run.emails
    from rule_runs as run join tickets on tickets.id = run.ticket_id
    where run.emails > 0 and run.at > now() - interval '1 day'`.execute(db)
  // Older code still writes them.
  await sql`alter table rule_runs alter column client_emails set default 0, alter column emails set default 0`.execute(
    db
  )
}
