import pg from 'pg'
import type { TestInstallation } from './installations.ts'

/** What a query finds in the database of an installation, whose service may be dead. */
// biome-ignore lint/suspicious/noExplicitAny: each query has rows of its own.
export async function rowsOf(installation: TestInstallation, query: string): Promise<any[]> {
  const client = new pg.Client(await installation.connection())
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}
