import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Reports: what is counted of each ticket, and what that adds up to on each day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Without a reference to tickets: what was counted stays when a client is erased with their tickets.
  await sql`
    create table ticket_facts (
      ticket_id bigint not null,
      number integer not null,
      figure text not null,
      at timestamptz not null,
      value smallint default 1 not null,
      seconds integer check (seconds >= 0),
      open_seconds integer check (open_seconds >= 0),
      -- What the ticket is now.
      department_id bigint not null,
      priority text not null check (priority in ('Low', 'Medium', 'High', 'Critical')),
      channel text not null,
      organisation_id bigint,
      tag_ids bigint[],
      -- Whoever did it; if a client or the system did, the assignee then.
      staff_id bigint,
      primary key (ticket_id, number)
    )`.execute(db)
  await sql`create index ticket_facts_figure_index on ticket_facts (figure, at)`.execute(db)
  await sql`create index ticket_facts_department_index on ticket_facts (department_id, figure, at)`.execute(db)

  await sql`
    create table report_days (
      figure text not null,
      dimension text not null check (dimension in ('desk', 'department', 'staff', 'tag', 'priority', 'organisation', 'channel')),
      -- The id of the department and so on, the position of the priority or channel; 0: none.
      key bigint not null,
      day date not null,
      n bigint not null,
      sum_seconds bigint not null,
      sum_open_seconds bigint not null,
      histogram integer[],
      open_histogram integer[],
      primary key (figure, dimension, key, day)
    )`.execute(db)
  await sql`create index report_days_day_index on report_days (figure, day)`.execute(db)

  await sql`
    create table report_dirty (
      figure text not null,
      day date not null,
      -- By the clock of the desk.
      since timestamptz not null,
      primary key (figure, day)
    )`.execute(db)
  await sql`create index report_dirty_since_index on report_dirty (since)`.execute(db)

  await sql`
    create table report_state (
      only_row boolean primary key default true check (only_row),
      zone text not null,
      -- The facts of tickets up to this one are made anew; null: of all.
      filled_up_to bigint,
      filled integer default 0 not null,
      to_fill integer default 0 not null,
      filling_since timestamptz,
      check ((filled_up_to is null) = (filling_since is null))
    )`.execute(db)
  // The tickets that there are are read in batches.
  await sql`
    insert into report_state (zone, filled_up_to, filling_since)
    select coalesce((select value #>> '{}' from desk_settings where name = 'time_zone'), 'UTC'),
      case when exists (select from tickets) then 0 end, case when exists (select from tickets) then now() end`.execute(
    db
  )
  await sql`
    insert into event_readers (name, place)
    select 'reports', last_place from event_sequencer`.execute(db)
}
