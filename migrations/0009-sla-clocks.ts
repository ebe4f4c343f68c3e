import { type Kysely, sql } from 'kysely'

/** The clocks of tickets: what SLA policies promise, counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sla_clocks (
      id bigint generated always as identity primary key,
      ticket_id bigint not null references tickets on delete cascade,
      metric text not null check (metric in ('first_response', 'next_response', 'resolution')),
      policy_id bigint not null references sla_policies,
      policy_version integer not null,
      priority text not null check (priority in ('Low', 'Medium', 'High', 'Critical')),
      calendar_id bigint not null references calendars,
      target_minutes integer not null check (target_minutes between 1 and 525600),
      started_at timestamptz not null,
      -- By its row in events, as ended_by.
      started_by bigint not null,
      -- [from, to, calendar_id, counted] of each stretch that was counted, in milliseconds.
      ledger jsonb not null,
      counted_ms bigint not null check (counted_ms >= 0),
      -- Since when it counts without a line of the ledger.
      runs_since timestamptz,
      state text not null check (state in ('running', 'paused')),
      pause_reason text check (pause_reason in ('answered', 'snoozed', 'closed', 'merged', 'trash', 'no_target')),
      due_at timestamptz,
      soon_at timestamptz,
      warn_at timestamptz,
      warned_at timestamptz,
      breached_at timestamptz,
      ended_at timestamptz,
      ended_by bigint,
      outcome text check (outcome in ('met', 'breached', 'dropped', 'withdrawn')),
      turns jsonb not null,
      check ((ended_at is null) = (outcome is null)),
      check ((ended_at is null) = (ended_by is null)),
      check (ended_at is not null or (state = 'running') = (runs_since is not null)),
      check (ended_at is not null or (state = 'paused') = (pause_reason is not null))
    )`.execute(db)
  await sql`create unique index sla_clocks_open_index on sla_clocks (ticket_id, metric) where ended_at is null`.execute(
    db
  )
  await sql`create index sla_clocks_ticket_index on sla_clocks (ticket_id)`.execute(db)
  await sql`create index sla_clocks_due_index on sla_clocks (due_at)
    where state = 'running' and ended_at is null`.execute(db)
  await sql`create index sla_clocks_soon_index on sla_clocks (soon_at)
    where state = 'running' and ended_at is null`.execute(db)
  await sql`create index sla_clocks_to_breach_index on sla_clocks (due_at)
    where state = 'running' and ended_at is null and breached_at is null`.execute(db)
  await sql`create index sla_clocks_to_warn_index on sla_clocks (warn_at)
    where state = 'running' and ended_at is null and breached_at is null and warned_at is null`.execute(db)
  await sql`create index sla_clocks_policy_index on sla_clocks (policy_id, ticket_id)`.execute(db)
  await sql`create index sla_clocks_calendar_index on sla_clocks (calendar_id, ticket_id) where ended_at is null`.execute(
    db
  )

  // What the reader of the log remembers of a ticket beside its clocks.
  await sql`
    create table sla_tickets (
      ticket_id bigint primary key references tickets on delete cascade,
      state jsonb not null
    )`.execute(db)

  // A policy or calendar was changed: the clocks of all tickets that it concerns are counted again, in batches.
  await sql`
    create table sla_recomputations (
      id bigint generated always as identity primary key,
      cause text not null check (cause in ('policy', 'calendar')),
      subject_id bigint,
      chooses boolean not null,
      -- By its row in events.
      event_id bigint not null unique,
      -- Tickets up to this one are done.
      after_id bigint default 0 not null,
      done integer default 0 not null,
      created_at timestamptz not null,
      finished_at timestamptz
    )`.execute(db)
  await sql`create index sla_recomputations_unfinished_index on sla_recomputations (id) where finished_at is null`.execute(
    db
  )
  await sql`
    insert into event_readers (name, place)
    select 'sla', last_place from event_sequencer`.execute(db)
}

export const oldestCode = '0002-search'
