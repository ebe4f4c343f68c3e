import type { Kysely } from 'kysely'

/** A handle on any database, for code that knows tables only by name. */
// biome-ignore lint/suspicious/noExplicitAny: the platform works beneath the tables, whichever there are.
export type AnyDb = Kysely<any>
