import type { Tables } from '../../core/tables/tables.ts'
import { locationOf } from '../../platform/db/installation-id.ts'
import { openOneConnection } from '../../platform/db/one-connection.ts'
import { type DatabaseOptions, openDatabase } from '../../platform/db/open.ts'
import { waitForDatabase } from '../../platform/db/wait-for-database.ts'

const withinMilliseconds = 5_000

/** Throws `DatabaseFault` unless the database responds and Deskline can use it. */
export async function checkDatabase(connection: DatabaseOptions['connection'], name: string): Promise<void> {
  const { db, close } = openDatabase({
    connection,
    maxConnections: 1,
    statementTimeoutMilliseconds: withinMilliseconds,
    connectTimeoutMilliseconds: withinMilliseconds,
    onIdleError() {}
  })
  try {
    await waitForDatabase(db, { name, withinMilliseconds })
  } finally {
    await close()
  }
}

/** The location of a database, to tell it from copies; `folder` is that of the embedded server. */
export async function locationAt(connection: DatabaseOptions['connection'], folder?: string): Promise<string> {
  const { db, close } = await openOneConnection<Tables>(connection)
  try {
    return await locationOf(db, folder)
  } finally {
    await close()
  }
}
