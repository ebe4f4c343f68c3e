import { type Kysely, sql } from 'kysely'
import { createFunctions } from './run-sql.ts'

export const oldestCode = '0002-search'

/** Tickets carry a copy of their values of custom fields, so that an index has those with a value in the order of their last change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tickets add column if not exists field_values jsonb`.execute(db)
  await createFunctions(db, ['maintain_ticket', 'copy_field_values'])
  await sql`create trigger ticket_fields_copied after insert or update of values or delete on ticket_fields
    for each row execute function copy_field_values()`.execute(db)
}
