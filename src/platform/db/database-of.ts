import type { CompiledQuery, Kysely } from 'kysely'
import { transaction, transactionOnce } from './open.ts'
import { prepared, preparedByKind } from './prepared.ts'

type Build<T, P, R> = (db: Kysely<T>, parameters: P) => { compile(): CompiledQuery<R> }

/** The functions of `open.ts` and `prepared.ts`, typed for these tables. */
interface DatabaseOf<T> {
  prepared<P extends object, R>(build: Build<T, P, R>): (db: Kysely<T>, parameters: P) => Promise<R[]>
  preparedByKind<P extends object, R>(): (
    db: Kysely<T>,
    parameters: P,
    kind: string,
    build: Build<T, P, R>
  ) => Promise<R[]>
  transaction: typeof transaction
  transactionOnce: typeof transactionOnce
}

export function databaseOf<T>(): DatabaseOf<T> {
  return { prepared, preparedByKind, transaction, transactionOnce }
}
