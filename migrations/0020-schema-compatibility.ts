import { type Kysely, sql } from 'kysely'

/** Records the oldest code that works with the schema: at first that of this migration; each later one states which code keeps working. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table schema_compatibility (
      only_row boolean primary key default true check (only_row),
      oldest_code text not null
    )`.execute(db)
  await sql`insert into schema_compatibility (oldest_code) values ('0020-schema-compatibility')`.execute(db)
}
