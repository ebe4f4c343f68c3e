import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Pictures of articles, and in which versions of them they are shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kb_files (
      id bigint generated always as identity primary key,
      -- The last part of its address, which nobody can guess and which never changes.
      name varchar(40) not null unique,
      type varchar(20) not null,
      content bytea not null check (length(content) between 1 and 2097152),
      sha256 varchar(64) not null,
      uploaded_by bigint references staff on delete set null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index kb_files_uploaded_index on kb_files (uploaded_by)`.execute(db)
  await sql`
    create table kb_file_uses (
      article_id bigint not null,
      locale varchar(10) not null,
      version integer not null,
      file_id bigint not null references kb_files,
      primary key (article_id, locale, version, file_id),
      foreign key (article_id, locale, version) references kb_versions on delete cascade
    )`.execute(db)
  await sql`create index kb_file_uses_file_index on kb_file_uses (file_id)`.execute(db)
}
