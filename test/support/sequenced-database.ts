import type { Db } from '../../src/core/db.ts'
import { sequence } from '../../src/core/events/read-events.ts'
import type { Desk } from './desk.ts'

/** The database of a desk, once its audit log is told of all that has happened. */
export async function sequencedDatabase({ services, db }: Pick<Desk, 'services' | 'db'>): Promise<Db> {
  await sequence(services)
  return db
}
