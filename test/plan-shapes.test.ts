import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { accountsOf } from '../bench/accounts.ts'
import { socketUrl } from '../bench/database-server.ts'
import { fill } from '../bench/fill.ts'
import { planFaults } from '../bench/query-plans.ts'
import { recordReplaySteps } from '../bench/record-replay-steps.ts'
import { requestFieldsOf } from '../bench/request-fields.ts'
import { type Scenario, scenarios } from '../bench/scenarios.ts'
import { environmentOf } from '../bench/servers.ts'
import { testDatabase } from './support/database.ts'

// The bench looks at the same plans with a million tickets. With as few as here the planner has to be kept from reading small tables
// as a whole; what then still does has no index to go by.
const tickets = 1_000

test('no hot path reads a growing table from end to end or sorts more than a page', async () => {
  const { connection } = await testDatabase()
  const url = typeof connection === 'string' ? connection : socketUrl(connection)
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-plans-'))
  after(() => rm(dataDir, { recursive: true, force: true }))
  await fill(url, tickets, () => {})
  const accounts = await accountsOf(url)
  const steps = await recordReplaySteps(environmentOf(dataDir, url), scenarios, accounts)
  const client = new pg.Client({ connectionString: url, options: '-c enable_seqscan=off -c jit=off' })
  await client.connect()

  const faults = await faultsOf(scenarios)
  await client.query('drop index ticket_messages_ticket_index')
  // Else the messages would be read by their ids, all of them all the same.
  await client.query('alter table ticket_messages drop constraint ticket_messages_pkey cascade')
  const withoutIndex = await faultsOf(scenarios.filter(({ name }) => name === 'detail'))
  await client.end()

  assert.deepEqual(faults, [])
  assert.match(withoutIndex.join('\n'), /^detail: all of ticket_messages is read/m)

  async function faultsOf(chosen: readonly Scenario[]): Promise<string[]> {
    const found: string[] = []
    for (const { name, requests, sorts = 100 } of chosen) {
      const fields = await requestFieldsOf(requests(accounts)[0]!)
      found.push(...(await planFaults(client, name, steps[name]!, fields, { smallTable: 100, page: sorts })))
    }
    return found
  }
})
