import { type Kysely, sql } from 'kysely'

/** Failed logins of staff, counted until they are recorded in the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // They are counted by the e-mail address that was sent, whether an account has it or not, since counting must not reveal that. The table is
  // unlogged, like `guesses`.
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
