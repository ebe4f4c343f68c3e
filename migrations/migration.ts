import type { Kysely } from 'kysely'

/** One step of the schema. docs/decisions/031 says what is asked of it. */
export interface Migration {
  // biome-ignore lint/suspicious/noExplicitAny: a migration knows the tables of its day, not those of the code that runs it.
  up(db: Kysely<any>): Promise<void>
  /**
   * False: `up` runs outside a transaction, as making an index while people write has to. It may be cut off anywhere and is then run
   * again from its beginning, so it leaves alone what it finds done (`makeIndex` does).
   */
  inTransaction?: boolean
  /**
   * The last migration that the oldest code knows which works on after this one: processes with that code stay ready. Without it, only
   * the code that brings this migration works on.
   */
  oldestCode?: string
}
