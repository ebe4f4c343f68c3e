import { type Kysely, sql } from 'kysely'

/** Older code does not know the logo, and backs its table up like every table. */
export const oldestCode = '0021-installation'

/** The logo of the desk, in one row: like the settings it is available to every process, and part of every backup and move. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table desk_logo (
      is_only boolean primary key default true check (is_only),
      content bytea not null check (octet_length(content) between 1 and 262144),
      type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
      sha256 text not null,
      uploaded_at timestamptz not null
    )`.execute(db)
}
