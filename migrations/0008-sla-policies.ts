import { type Kysely, sql } from 'kysely'

/** SLA policies: which tickets they take, and how soon these are to be answered and solved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sla_policies (
      id bigint generated always as identity primary key,
      name varchar(100) not null check (name <> ''),
      -- The first active policy that fits takes a ticket.
      position integer not null,
      is_active boolean not null,
      is_archived boolean default false not null,
      conditions json not null,
      -- While a ticket is in one of these states its time to the solution stands.
      pause_on text[] not null check (pause_on <@ array['answered', 'snoozed']),
      -- Whether a ticket that is reopened goes on with the time that was left, or begins anew.
      on_reopen text not null check (on_reopen in ('resume', 'restart')),
      -- Null: nobody is warned.
      warn_minutes integer check (warn_minutes > 0),
      version integer default 1 not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`
    create table sla_targets (
      policy_id bigint not null references sla_policies on delete cascade,
      metric text not null check (metric in ('first_response', 'next_response', 'resolution')),
      priority text not null check (priority in ('Low', 'Medium', 'High', 'Critical')),
      minutes integer not null check (minutes between 1 and 525600),
      calendar_id bigint not null references calendars on delete cascade,
      primary key (policy_id, metric, priority)
    )`.execute(db)
  await sql`create trigger sla_policies_forget_uses after delete on sla_policies
    for each row execute function forget_uses('sla_policy')`.execute(db)
  await sql`create index sla_targets_calendar_index on sla_targets (calendar_id)`.execute(db)
}

export const oldestCode = '0002-search'
