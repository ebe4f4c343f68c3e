import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** The devices on which people have signed in, so that they are told of a new one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table known_devices (
      id bigint generated always as identity primary key,
      user_type text not null check (user_type in ('client', 'staff')),
      user_id bigint not null,
      client_id bigint generated always as (case when user_type = 'client' then user_id end) stored references clients on delete cascade,
      staff_id bigint generated always as (case when user_type = 'staff' then user_id end) stored references staff on delete cascade,
      -- Of its network and program, which are not kept themselves.
      digest char(43) not null,
      seen_at timestamptz not null,
      unique (user_type, user_id, digest)
    )`.execute(db)
  await sql`create index known_devices_client_index on known_devices (client_id) where client_id is not null`.execute(
    db
  )
  await sql`create index known_devices_staff_index on known_devices (staff_id) where staff_id is not null`.execute(db)
}
