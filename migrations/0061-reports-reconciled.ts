import { type Kysely, sql } from 'kysely'

export const inTransaction = false
export const oldestCode = '0002-search'

/** Reports are compared with the sums of tickets; whoever answers by a program is asked for no rating. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table report_state
      -- How many tickets of departments are open by the reports and not by the sums of tickets, or the other way round.
      add column if not exists backlog_difference integer default 0 not null,
      add column if not exists reconciled_at timestamptz`.execute(db)
  await sql`
    alter table csat_surveys
      drop constraint if exists csat_surveys_voided_reason_check,
      add constraint csat_surveys_voided_reason_check check (voided_reason in
        ('reopened', 'trash', 'merged', 'disabled', 'department', 'no_reply', 'opted_out', 'auto_replies', 'unreachable', 'recent',
          'rated')) not valid`.execute(db)
  await sql`alter table csat_surveys validate constraint csat_surveys_voided_reason_check`.execute(db)
}
