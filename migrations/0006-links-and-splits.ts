import { type Kysely, sql } from 'kysely'

/** Links between tickets, and which messages went from one ticket to another. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ticket_links (
      id bigint generated always as identity primary key,
      from_id bigint not null references tickets on delete cascade,
      to_id bigint not null references tickets on delete cascade,
      kind text not null check (kind in ('related', 'blocks', 'duplicate_of', 'split_from')),
      created_at timestamptz not null,
      check (from_id <> to_id)
    )`.execute(db)
  await sql`create unique index ticket_links_pair on ticket_links (least(from_id, to_id), greatest(from_id, to_id), kind)`.execute(
    db
  )
  await sql`create index ticket_links_from_index on ticket_links (from_id)`.execute(db)
  await sql`create index ticket_links_to_index on ticket_links (to_id)`.execute(db)
  // The new ticket is no reference: the row outlives a split that was undone, whose ticket is gone.
  await sql`
    create table ticket_splits (
      id bigint generated always as identity primary key,
      source_id bigint not null references tickets on delete cascade,
      target_id bigint not null unique,
      message_ids bigint[] not null,
      note_ids bigint[] not null,
      -- The addresses by which these messages had come, by their ids, if they went to another client.
      client_emails jsonb default '{}' not null,
      created_at timestamptz not null,
      undone_at timestamptz,
      check (source_id <> target_id)
    )`.execute(db)
  await sql`create index ticket_splits_source_index on ticket_splits (source_id)`.execute(db)
}

export const oldestCode = '0002-search'
