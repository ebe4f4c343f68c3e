import { type Kysely, sql } from 'kysely'

/** The outbox of e-mails ("letters") and text messages. The content is encrypted, and deleted after delivery or the last attempt. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table letters (
      id bigint generated always as identity primary key,
      channel text not null check (channel in ('mail', 'text')),
      kind varchar(50) not null,
      recipient varchar(255) not null,
      sealed_content text,
      state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
      attempts integer not null default 0,
      last_answer varchar(500),
      request_id varchar(100),
      created_at timestamptz not null default now(),
      settled_at timestamptz,
      check (state <> 'queued' or sealed_content is not null)
    )`.execute(db)
  await sql`create index letters_queued_index on letters (created_at) where state = 'queued'`.execute(db)
}
