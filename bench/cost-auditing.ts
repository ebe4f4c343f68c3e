import pg from 'pg'
import { ticketStatuses } from '../src/core/tables/tickets.ts'
import { superuser } from '../src/platform/postgres/cluster.ts'
import { accountsOf } from './accounts.ts'
import type { Bench } from './against-floor.ts'
import type { DatabaseServer } from './database-server.ts'
import { jsonMessage } from './http-message.ts'
import { runInterleaved } from './interleaved-rounds.ts'
import { faultsOf } from './results.ts'
import { serve } from './servers.ts'
import { ratios, summary } from './statistics.ts'
import { copiesOf, templateOf } from './testbed.ts'

const standbyMilliseconds = 5

/**
 * Measures what auditing costs: staff change the status of a ticket, compared with the client doing so at the same address, which is not
 * audited; sixteen requests at once. The staff's own address is measured as well: it locks the ticket, compares its version and returns it
 * as the queue shows it. All are measured again as if each commit waited for a standby, which shows writers that wait for one another.
 */
export async function costOfAuditing(bench: Bench): Promise<void> {
  const { databases, options } = bench
  const database = 'bench_audited'
  await copiesOf(databases, await templateOf(databases, options.sizes[0]!, () => {}), [database])
  try {
    await compare(bench, database, '')
    if (await withStandby(databases, database)) {
      await compare(bench, database, ` with a standby ${standbyMilliseconds} ms away`)
    }
  } finally {
    await databases.drop(database)
  }
}

async function compare({ databases, meter, options, dataDir, results, say }: Bench, database: string, how: string) {
  const url = databases.url(database)
  const server = { ...(await serve({ dataDir: `${dataDir}/audited`, url, words: ['--no-worker'] })), database }
  try {
    const { admin, writingClients } = await accountsOf(url)
    const requests = (path: string, tokenOf: (writer: (typeof writingClients)[number]) => string) =>
      [0, 1, 2, 3].flatMap(round =>
        writingClients.map((writer, at) =>
          jsonMessage(path, tokenOf(writer), { id: writer.ticket, status: ticketStatuses[(at + round) % 4] })
        )
      )
    const sets = {
      audited: requests('/api/tickets/status', () => admin.token),
      unaudited: requests('/api/tickets/status', ({ token }) => token),
      desk: requests('/api/admin/tickets/status', () => admin.token)
    }
    for (const [name, requests] of Object.entries(sets)) await meter.prepare(name, requests)
    const targets = Object.keys(sets).map(name => ({ name, server, set: name }))
    const measured = await runInterleaved(meter, targets, 16, {
      ...options,
      warmUpMilliseconds: 3 * options.milliseconds
    })
    const speeds = (name: string) => measured[name]!.map(({ perSecond }) => perSecond)
    const value = summary(ratios(speeds('audited'), speeds('unaudited')))
    const name = `status by staff${how}, audited`
    results.costs.push({ name, unit: 'of the same unaudited', value, mark: { atLeast: 0.9 } })
    const ofDesk = summary(ratios(speeds('desk'), speeds('unaudited')))
    results.costs.push({ name: `status at the desk${how}, audited`, unit: 'of the same unaudited', value: ofDesk })
    for (const each of Object.keys(sets)) results.faults.push(...faultsOf(`${each} status${how}`, measured[each]!))
    say(
      `${name}: ${summary(speeds('audited')).median.toFixed(0)} of ${summary(speeds('unaudited')).median.toFixed(0)} per second, at the desk ${summary(speeds('desk')).median.toFixed(0)}`
    )
  } finally {
    await server.stop()
  }
}

/**
 * From the next connection on, each flush of the write-ahead log takes longer by the round trip to a standby. Commits that arrive meanwhile
 * share the next flush, as they would share one round trip. Only the superuser of the embedded server can set this.
 */
async function withStandby({ kind, url }: DatabaseServer, database: string): Promise<boolean> {
  if (kind !== 'embedded') return false
  const address = new URL(url(database))
  address.username = superuser
  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  try {
    await client.query(`alter database ${database} set commit_delay = ${standbyMilliseconds * 1000}`)
    await client.query(`alter database ${database} set commit_siblings = 0`)
  } finally {
    await client.end()
  }
  return true
}
