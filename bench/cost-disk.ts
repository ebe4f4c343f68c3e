import pg from 'pg'
import type { Bench } from './against-floor.ts'
import { templateOf, testbedDatabase } from './testbed.ts'

/** Measures the disk space of a ticket with its five messages, their search words and all indexes, in the largest database. */
export async function costOfDisk({ databases, options, results, say }: Bench): Promise<void> {
  const tickets = options.sizes.at(-1)!
  const database = 'bench_disk'
  // The largest testbed may have consumed its template.
  const measured = (await databases.has(testbedDatabase(tickets))) ? testbedDatabase(tickets) : database
  if (measured === database) await databases.make(database, await templateOf(databases, tickets, () => {}))
  const client = new pg.Client({ connectionString: databases.url(measured) })
  await client.connect()
  try {
    const { rows } = await client.query(`select pg_database_size(current_database())::float as all,
      (select sum(pg_relation_size(indexrelid))::float from pg_stat_user_indexes where schemaname = 'public') as indexes`)
    const perTicket = (bytes: number) => {
      const kilobytes = bytes / tickets / 1024
      return { median: kilobytes, low: kilobytes, high: kilobytes, rounds: 1 }
    }
    results.costs.push(
      { name: 'disk per ticket', unit: 'KB', value: perTicket(rows[0].all), mark: { atMost: 12 } },
      { name: 'disk per ticket, indexes', unit: 'KB', value: perTicket(rows[0].indexes) }
    )
    say(`disk per ticket: ${perTicket(rows[0].all).median.toFixed(1)} KB`)
  } finally {
    await client.end()
    if (measured === database) await databases.drop(database)
  }
}
