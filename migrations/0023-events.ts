import { type Kysely, sql } from 'kysely'

/** Older code writes timelines through a view with the name of the former table, and writes its audit rows itself. */
export const oldestCode = '0022-desk-logo'

/**
 * The timelines of tickets become the event log; no row is rewritten. The events of a ticket outlive it, except for their texts. Only new
 * events get a place in the log; existing ones are only in their timelines.
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

  // There is no foreign key to the event: its place stays when the event is deleted.
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

/** Scrubs in the database, since tickets are also deleted with their client, and by older code. */
async function scrubWhenTicketsGo(db: Kysely<unknown>): Promise<void> {
  // Numbers, booleans and our own terms contain no personal data.
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
