import { type Kysely, sql } from 'kysely'

/** Code from before writes the timelines through the view that has the name of the former table, and its audit rows by itself. */
export const oldestCode = '0022-desk-logo'

/**
 * The timelines of the tickets become the log of all that happens; no row is rewritten. What a row says of a ticket outlives the
 * ticket, but for the words. Rows get their places from here on: those that are there keep to their timelines.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ticket_events
      drop constraint ticket_events_ticket_id_fkey,
      alter ticket_id drop not null,
      add subject_type varchar(30) not null default 'ticket',
      add subject_id bigint,
      add client_id bigint,
      add department_id bigint,
      add is_audited boolean not null default false,
      add audited json`.execute(db)
  await sql`alter table ticket_events rename to events`.execute(db)
  await sql`
    create view ticket_events as
      select id, ticket_id, kind, actor_type, actor_id, actor_name, before, after, ip_address, request_id, created_at,
        told_at, postponed_to
      from events where ticket_id is not null`.execute(db)

  // No reference to the event: a place stays taken when its event goes.
  await sql`
    create table event_places (
      place bigint primary key,
      event_id bigint not null unique
    )`.execute(db)
  await sql`
    create table event_sequencer (
      only_row boolean primary key default true check (only_row),
      last_place bigint not null default 0,
      seen_id bigint not null,
      gaps jsonb not null default '[]'
    )`.execute(db)
  await sql`insert into event_sequencer (seen_id) select coalesce(max(id), 0) from events`.execute(db)

  await scrubWhenTicketsGo(db)
}

/** In the database, since tickets also go with their client, and code from before removes them too. */
async function scrubWhenTicketsGo(db: Kysely<unknown>): Promise<void> {
  // Numbers, yes or no, and words of our own tell of nobody.
  await sql`
    create function without_words(facts json) returns json language sql immutable as $$
      select json_object_agg(key, value) from json_each(facts)
      where json_typeof(value) in ('number', 'boolean', 'null') or key in ('status', 'priority', 'fields', 'by', 'mode')
    $$`.execute(db)
  await sql`
    create function scrub_events_of_tickets() returns trigger language plpgsql as $$
      begin
        update events set
          client_id = gone.client_id,
          audited = null,
          before = without_words(before),
          after = without_words(after),
          actor_name = case actor_type when 'client' then 'Client' else actor_name end,
          ip_address = case actor_type when 'client' then null else ip_address end,
          request_id = case actor_type when 'client' then null else request_id end,
          told_at = coalesce(told_at, now())
        from gone where events.ticket_id = gone.id;
        return null;
      end $$`.execute(db)
  await sql`
    create trigger tickets_scrub_events after delete on tickets referencing old table as gone
      for each statement execute function scrub_events_of_tickets()`.execute(db)
}
