import type { Kysely } from 'kysely'

/** One migration of the schema. docs/decisions/014-schema-and-migrations.md has the rules. */
export interface Migration {
  // biome-ignore lint/suspicious/noExplicitAny: a migration knows the tables of its day, not those of the code that runs it.
  up(db: Kysely<any>): Promise<void>
  /**
   * False: `up` runs outside a transaction, as building an index concurrently requires. It may be interrupted anywhere and then runs
   * again from its beginning, so it must skip what is done already (as `makeIndex` does).
   */
  inTransaction?: boolean
  /**
   * The last migration known to the oldest code that still works after this one: processes with that code stay ready. Without it, only the
   * code of this migration works.
   */
  oldestCode?: string
}
