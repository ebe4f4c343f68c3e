import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Whom staff have taken out of an organisation: they do not join it by its domains again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organisation_exits (
      client_id bigint not null references clients on delete cascade,
      organisation_id bigint not null references organisations on delete cascade,
      primary key (client_id, organisation_id)
    )`.execute(db)
  await sql`create index organisation_exits_organisation_index on organisation_exits (organisation_id)`.execute(db)
}
