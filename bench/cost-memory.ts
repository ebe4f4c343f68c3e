import { join } from 'node:path'
import { accountsOf } from './accounts.ts'
import type { Bench } from './against-floor.ts'
import { embeddedPid } from './database-server.ts'
import { memoryOf, processTree } from './process-usage.ts'
import { scenarios } from './scenarios.ts'
import { serve } from './servers.ts'
import { summary } from './statistics.ts'
import { copiesOf, templateOf } from './testbed.ts'

/** How many requests a busy support desk sends in an hour. */
const requestsAnHour = 36_000

/**
 * Measures the memory of Deskline when idle, with 64 requests at once, and after as many requests as arrive in an hour. Jobs run in the
 * same process. The memory of the database, which depends on its settings, is reported separately.
 */
export async function costOfMemory({ databases, meter, options, dataDir, results, say }: Bench): Promise<void> {
  const database = 'bench_memory'
  const tickets = options.sizes.at(Math.floor(options.sizes.length / 2))!
  await copiesOf(databases, await templateOf(databases, tickets, () => {}), [database])
  const url = databases.url(database)
  const server = await serve({ dataDir: join(dataDir, 'memory'), url })
  const measured = { ...server, database }
  try {
    const mixed = ['list', 'detail', 'reply', 'queue']
    const accounts = await accountsOf(url)
    const sets = scenarios.filter(({ name }) => mixed.includes(name)).map(scenario => scenario.requests(accounts))
    await meter.prepare('mixed', mix(sets))
    await meter.round(measured, 'mixed', 1, 300)
    const memory = async () => (await memoryOf(await processTree(server.pid))).rss
    const atRest = await memory()
    const base = databases.kind === 'embedded' ? await embeddedPid(dataDir) : undefined
    const databaseMemory = async () => (base ? (await memoryOf(await processTree(base))).pss : Number.NaN)
    const databaseAtRest = await databaseMemory()

    const underLoad: number[] = []
    const watching = setInterval(() => void memory().then(value => underLoad.push(value)), 100)
    await meter.round(measured, 'mixed', 64, options.isShort ? 3_000 : 10_000)
    clearInterval(watching)
    const databaseUnderLoad = await databaseMemory()

    const afterEach: number[] = []
    const quarters = options.isShort ? 0 : 4
    for (let quarter = 0; quarter < quarters; quarter++) {
      let sent = 0
      while (sent < requestsAnHour / quarters) {
        const { perSecond } = await meter.round(measured, 'mixed', 16, 2_000)
        sent += perSecond * 2
      }
      afterEach.push(await memory())
      say(`memory after ${quarter + 1} quarters of an hour's requests: ${afterEach.at(-1)!.toFixed(0)} MB`)
    }

    const add = (name: string, values: number[], mark?: { atMost: number }) =>
      results.costs.push({ name, unit: 'MB', value: summary(values), mark })
    add('memory at rest', [atRest], { atMost: 183 })
    add('memory under 64 requests at once, peak', [Math.max(...underLoad)])
    if (quarters > 0)
      add(
        'memory gained from the first to the last quarter of an hour’s requests',
        [afterEach.at(-1)! - afterEach[0]!],
        { atMost: 20 }
      )
    if (!base) return
    add('memory of the database at rest', [databaseAtRest])
    add('memory of the database under load', [databaseUnderLoad])
  } finally {
    await server.stop()
    await databases.drop(database)
  }
}

/** Takes one request of each set in turn. */
function mix(sets: readonly Buffer[][]): Buffer[] {
  const longest = Math.max(...sets.map(set => set.length))
  return Array.from({ length: longest }, (_, at) => sets.map(set => set[at % set.length]!)).flat()
}
