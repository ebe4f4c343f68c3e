import { type Kysely, sql } from 'kysely'

/** Older code does not know webhooks, and backs their tables up like every table. */
export const oldestCode = '0021-installation'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Events up to `place` are queued. Those from `missed_after` to `missed_until` are searched for missed ones.
  await sql`
    create table webhooks (
      id bigint generated always as identity primary key,
      url text not null check (length(url) between 1 and 2048),
      kinds text[] not null default '{}',
      include_text boolean not null default false,
      include_notes boolean not null default false,
      is_active boolean not null default true,
      disabled_reason text check (disabled_reason in ('gone', 'failing')),
      disabled_at timestamptz,
      failing_since timestamptz,
      place bigint not null,
      missed_after bigint,
      missed_until bigint,
      missed_since timestamptz,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)

  // Secrets are encrypted with the application's keys. The one without `retires_at` is the current one; the others also sign until they retire.
  await sql`
    create table webhook_secrets (
      id bigint generated always as identity primary key,
      webhook_id bigint not null references webhooks on delete cascade,
      sealed_secret text not null,
      retires_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index webhook_secrets_webhook on webhook_secrets (webhook_id)`.execute(db)
  await sql`create unique index webhook_secrets_current on webhook_secrets (webhook_id) where retires_at is null`.execute(
    db
  )

  // There is no foreign key to the webhook: after its deletion the cleanup removes its rows, perhaps a million, in small batches.
  await sql`
    create table webhook_deliveries (
      id bigint generated always as identity primary key,
      webhook_id bigint not null,
      event_id bigint,
      message_id text not null,
      kind text not null,
      ticket_id bigint,
      client_id bigint,
      state text not null default 'queued' check (state in ('queued', 'retrying', 'delivered', 'failed')),
      attempts integer not null default 0,
      failures integer not null default 0,
      last_status integer,
      last_error text,
      is_scrubbed boolean not null default false,
      due_at timestamptz not null,
      started_at timestamptz,
      settled_at timestamptz,
      created_at timestamptz not null default now(),
      check ((state in ('delivered', 'failed')) = (settled_at is not null))
    )`.execute(db)
  await sql`create unique index webhook_deliveries_event on webhook_deliveries (webhook_id, event_id)`.execute(db)
  await sql`create index webhook_deliveries_list on webhook_deliveries (webhook_id, id)`.execute(db)
  await sql`create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at, id) where settled_at is null`.execute(
    db
  )
  await sql`
    create index webhook_deliveries_untried on webhook_deliveries (webhook_id, ticket_id, event_id) where state = 'queued'`.execute(
    db
  )
  await sql`create index webhook_deliveries_settled on webhook_deliveries (settled_at) where settled_at is not null`.execute(
    db
  )
  await sql`create index webhook_deliveries_client on webhook_deliveries (client_id) where client_id is not null`.execute(
    db
  )

  await sql`
    create table webhook_attempts (
      id bigint generated always as identity primary key,
      delivery_id bigint not null references webhook_deliveries on delete cascade,
      number integer not null,
      status integer,
      error text,
      answer text,
      duration_milliseconds integer not null,
      started_at timestamptz not null
    )`.execute(db)
  await sql`create index webhook_attempts_delivery on webhook_attempts (delivery_id, id)`.execute(db)
}
