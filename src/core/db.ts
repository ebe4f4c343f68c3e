import type { Kysely } from 'kysely'
import { databaseOf } from '../platform/db/database-of.ts'
import type { Tables } from './tables/tables.ts'

/** A handle on the database: the pool, or the transaction that a verb has opened. */
export type Db = Kysely<Tables>

export const { prepared, preparedByKind, transaction, transactionOnce } = databaseOf<Tables>()
