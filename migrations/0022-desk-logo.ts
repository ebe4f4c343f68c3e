import { type Kysely, sql } from 'kysely'

/** Code from before knows nothing of a logo, and copies its table in backups as it copies every table. */
export const oldestCode = '0021-installation'

/** The logo of the desk, in one row, so that every process, every backup and every move has it as they have the settings. */
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
