import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const inTransaction = false

/** What the tickets and people of an organisation are found by. Most tickets have none, and cost nothing here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(
    db,
    'tickets_organisation_index',
    sql`tickets (organisation_id, updated_at, id) where organisation_id is not null`
  )
  await makeIndex(
    db,
    'tickets_organisation_unclosed_index',
    sql`tickets (organisation_id) where organisation_id is not null and status <> 'Closed' and trashed_at is null and merged_into_id is null`
  )
  await makeIndex(
    db,
    'tickets_organisation_email_index',
    sql`tickets (organisation_id) where organisation_id is not null and client_email is not null`
  )
  await makeIndex(
    db,
    'clients_organisation_index',
    sql`clients (organisation_id, id) where organisation_id is not null`
  )
}

export const oldestCode = '0002-search'
