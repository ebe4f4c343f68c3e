import { join } from 'node:path'
import type { Bench } from './against-floor.ts'
import { castOf } from './cast.ts'
import { embeddedPid } from './database-server.ts'
import { templateOf } from './desks.ts'
import { scenarios } from './scenarios.ts'
import { serve } from './servers.ts'
import { summary } from './statistics.ts'
import { memoryOf, withChildren } from './usage.ts'

/** How many requests a busy desk has in an hour. */
const requestsAnHour = 36_000

/**
 * What Deskline keeps in memory: at rest, while it has 64 requests at once, and after as many as come in an hour. Jobs run in the
 * same process. The database's memory, which depends on its settings, is told apart.
 */
export async function costOfMemory({ databases, meter, options, dataDir, results, say }: Bench): Promise<void> {
  const database = 'bench_memory'
  const tickets = options.sizes.at(Math.floor(options.sizes.length / 2))!
  await databases.make(database, await templateOf(databases, tickets, () => {}))
  const url = databases.url(database)
  const server = await serve({ dataDir: join(dataDir, 'memory'), url })
  const measured = { ...server, database }
  try {
    const mixed = ['list', 'detail', 'reply', 'queue']
    const cast = await castOf(url)
    const sets = scenarios.filter(({ name }) => mixed.includes(name)).map(scenario => scenario.requests(cast))
    await meter.prepare('mixed', mix(sets))
    await meter.round(measured, 'mixed', 1, 300)
    const memory = async () => (await memoryOf(await withChildren(server.pid))).rss
    const atRest = await memory()
    const base = databases.kind === 'embedded' ? await embeddedPid(dataDir) : undefined
    const databaseMemory = async () => (base ? (await memoryOf(await withChildren(base))).pss : Number.NaN)
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
    add('memory at rest', [atRest], { atMost: 120 })
    add('memory under 64 requests at once, peak', [Math.max(...underLoad)], { atMost: 200 })
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

/** One of each in turn. */
function mix(sets: readonly Buffer[][]): Buffer[] {
  const longest = Math.max(...sets.map(set => set.length))
  return Array.from({ length: longest }, (_, at) => sets.map(set => set[at % set.length]!)).flat()
}
