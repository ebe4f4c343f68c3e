import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** For which instants rules have run, of the runs that are swept: the time of a ticket is over once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rule_timers_fired (
      rule_id bigint not null references rules on delete cascade,
      ticket_id bigint not null references tickets on delete cascade,
      due_at timestamptz not null,
      primary key (ticket_id, rule_id, due_at)
    )`.execute(db)
  await sql`create index rule_timers_fired_rule_index on rule_timers_fired (rule_id)`.execute(db)
}
