import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Rules that fall due: when each does for which ticket, and the tickets of which that is not known yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rule_timers (
      rule_id bigint not null references rules on delete cascade,
      ticket_id bigint not null references tickets on delete cascade,
      -- The event that set it, by its place in the log; 0: the ticket was there before the rule.
      basis_event_id bigint not null,
      due_at timestamptz not null,
      primary key (rule_id, ticket_id, basis_event_id)
    )`.execute(db)
  await sql`create index rule_timers_due_index on rule_timers (due_at)`.execute(db)
  await sql`create index rule_timers_ticket_index on rule_timers (ticket_id)`.execute(db)
  // A rule was switched on: the timers of the tickets that there are are set in batches.
  await sql`
    create table rule_fills (
      rule_id bigint primary key references rules on delete cascade,
      -- Tickets up to this one are done.
      after_id bigint default 0 not null,
      since timestamptz not null
    )`.execute(db)
  // For what no event set off: when it was due. Nothing runs twice for the same instant.
  await sql`alter table rule_runs add column due_at timestamptz`.execute(db)
}
