import { type Kysely, sql } from 'kysely'
import { createFunctions } from './run-sql.ts'

/** Older code leaves snoozed tickets in its lists, and lets them sleep when their client writes. */
export const oldestCode = '0002-search'

/**
 * Tickets that are put off until a moment, or until their client writes. A row whose time has come stays, as `woken_at`, until the ticket
 * has been looked at.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table snoozes (
      ticket_id bigint primary key references tickets on delete cascade,
      until timestamptz,
      until_reply boolean not null,
      kind text not null check (kind in ('own', 'third_party', 'customer')),
      reason varchar(200) not null,
      staff_id bigint references staff on delete set null,
      created_at timestamptz not null,
      woken_at timestamptz,
      check (until is not null or until_reply)
    )`.execute(db)
  await sql`create index snoozes_until_index on snoozes (until) where woken_at is null`.execute(db)
  await sql`create index snoozes_staff_index on snoozes (staff_id)`.execute(db)
  await createFunctions(db, ['wake_ticket'])
}
