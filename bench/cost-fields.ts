import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { accountsOf } from './accounts.ts'
import type { Bench } from './against-floor.ts'
import { jsonMessage } from './http-message.ts'
import { runInterleaved } from './interleaved-rounds.ts'
import { rawRequest } from './raw-request.ts'
import { faultsOf } from './results.ts'
import { serve } from './servers.ts'
import { ratios, summary } from './statistics.ts'
import { copiesOf, templateOf } from './testbed.ts'

/** How many tickets have each of the options of the field, of a hundred thousand; the first hundred have all other options. */
const shares = { rare: 10, usual: 2_000, frequent: 50_000 }

/** Measures how much longer a list takes that is filtered by a custom field, on the most tickets, for a rare, a usual and a frequent value. */
export async function costOfFields({ databases, meter, options, results, dataDir, say }: Bench): Promise<void> {
  const tickets = options.sizes.at(-1)!
  const database = 'bench_fields'
  try {
    await copiesOf(databases, await templateOf(databases, tickets, () => {}), [database])
    const url = databases.url(database)
    const { admin } = await accountsOf(url)
    const server = await serve({ dataDir: join(dataDir, database), url })
    try {
      const ask = async (path: string, body: object) => {
        const { status, answer } = await rawRequest(server.port, jsonMessage(path, admin.token, body))
        if (status >= 300) throw new Error(`${path} was answered ${status}: ${answer}`)
        return JSON.parse(answer).data
      }
      const names = Object.keys(shares)
      const field = { key: 'contract', label: 'Contract', kind: 'select', options: names.map(label => ({ label })) }
      const { field: made } = await ask('/api/admin/fields/create', { ...field, client_access: 'none' })
      await fillValues(url, made.id)
      await ask('/api/admin/fields/update', { id: made.id, is_filterable: 1 })
      const isReady = async () =>
        (await ask('/api/admin/fields/list', {})).fields.every(
          (each: { is_filter_ready: 0 | 1 }) => each.is_filter_ready
        )
      while (!(await isReady())) await pause(500)
      await analyze(url)

      const set = (name: string) => `fields ${name}`
      const request = (body: object) => [jsonMessage('/api/admin/tickets/list', admin.token, { limit: 50, ...body })]
      await meter.prepare(set('none'), request({}))
      for (const [at, name] of names.entries()) {
        await meter.prepare(set(name), request({ fields: { contract: [at + 1] } }))
        const measured = { ...server, database }
        const targets = [name, 'none'].map(each => ({ name: each, server: measured, set: set(each) }))
        const warmUpMilliseconds = 3 * options.milliseconds
        const rounds = await runInterleaved(meter, targets, 1, { ...options, warmUpMilliseconds })
        for (const { name } of targets) results.faults.push(...faultsOf(set(name), rounds[name]!))
        const speeds = (target: string) => rounds[target]!.map(({ perSecond }) => perSecond)
        const value = summary(ratios(speeds('none'), speeds(name)))
        const what = `a list filtered by a ${name} value of a field, ${tickets} tickets`
        results.costs.push({ name: what, unit: '× without', value, mark: { atMost: 1.3 } })
        say(`${what}: ${value.median.toFixed(2)} × without`)
      }
    } finally {
      await server.stop()
    }
  } finally {
    await databases.drop(database)
  }
}

async function fillValues(url: string, field: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rare, usual, frequent } = shares
    // Spread over all tickets, old and new.
    await client.query(`insert into ticket_fields (ticket_id, values)
      select id, jsonb_build_object('f${field}', case when place < ${rare} then 1 when place < ${usual} then 2
        when place < ${frequent} then 3 end)
      from (select id, (id * 7919) % 100000 as place from tickets) as each where place < ${frequent}`)
  } finally {
    await client.end()
  }
}

async function analyze(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('vacuum analyze tickets, ticket_fields')
  } finally {
    await client.end()
  }
}
