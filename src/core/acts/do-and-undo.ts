import type { Kysely } from 'kysely'
import { inOneTransaction } from '../../platform/db/outer-transaction.ts'

/**
 * Does some work with the verbs that would really do it, undoes all of it, and returns what the work returned: so a preview and a dry run tell
 * exactly what would be done. No effect leaves: what waits for a commit (e-mails, jobs, notifications of the database) never gets one. A throw of the
 * work is thrown on.
 */
export async function doAndUndo<T, R>(db: Kysely<T>, work: (db: Kysely<T>) => Promise<R>): Promise<R> {
  let result: { of: R } | undefined
  const undo = new Error('This is undone')
  const workAndThrow = async (db: Kysely<T>): Promise<never> => {
    result = { of: await work(db) }
    throw undo
  }
  try {
    await inOneTransaction(db, workAndThrow)
  } catch (error) {
    if (error !== undo) throw error
  }
  return result!.of
}
