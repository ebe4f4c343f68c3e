import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Rules: what the desk does by itself when something has happened, and the log of what they did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rules (
      id bigint generated always as identity primary key,
      -- They run in this order.
      position integer not null,
      is_active boolean not null,
      -- Why it stands still although it is active: null, or a budget that it would have exceeded.
      paused_reason text check (paused_reason in ('staff', 'budget')),
      -- It follows what began from then on.
      active_since timestamptz not null,
      version integer default 1 not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  // A chain of events ends under the versions with which it began.
  await sql`
    create table rule_versions (
      rule_id bigint not null references rules on delete cascade,
      version integer not null,
      name varchar(100) not null check (name <> ''),
      trigger json not null,
      conditions json not null,
      actions json not null,
      watch_only boolean not null,
      created_at timestamptz not null,
      primary key (rule_id, version)
    )`.execute(db)
  await sql`
    create table rule_runs (
      id bigint generated always as identity primary key,
      rule_id bigint not null references rules on delete cascade,
      version integer not null,
      ticket_id bigint not null references tickets on delete cascade,
      -- By their places in the log; null for what no event set off.
      event_id bigint,
      chain_id bigint,
      depth integer not null,
      at timestamptz not null,
      outcome text not null check (outcome in ('ran', 'no_match', 'stopped', 'failed', 'watched')),
      -- Whether anything was done, and how many e-mails were: they count against the budgets.
      is_change boolean not null,
      client_emails integer not null,
      emails integer not null,
      -- Ids and our own terms, never the words of people.
      detail json not null,
      unique (rule_id, ticket_id, event_id)
    )`.execute(db)
  await sql`create index rule_runs_ticket_index on rule_runs (ticket_id, id)`.execute(db)
  await sql`create index rule_runs_rule_index on rule_runs (rule_id, id)`.execute(db)
  await sql`create index rule_runs_at_index on rule_runs (at)`.execute(db)
  await sql`create index rule_runs_emails_index on rule_runs (at) where emails > 0`.execute(db)
  await sql`create trigger rules_forget_uses after delete on rules
    for each row execute function forget_uses('rule')`.execute(db)
  await sql`
    insert into event_readers (name, place)
    select 'rules', last_place from event_sequencer`.execute(db)
}
