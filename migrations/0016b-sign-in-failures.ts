import { type Kysely, sql } from 'kysely'

/** Failed sign-ins at the staff's door, counted until the audit log is told of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // By the e-mail address that was sent, whether anybody has it or not: counting must not tell. Unlogged, as guesses are.
  await sql`
    create unlogged table sign_in_failures (
      email varchar(300) not null,
      kind text not null,
      count integer not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      ip_address varchar(45),
      told_at timestamptz,
      primary key (email, kind)
    )`.execute(db)
}
