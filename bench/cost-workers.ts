import { join } from 'node:path'
import { accountsOf } from './accounts.ts'
import type { Bench } from './against-floor.ts'
import { runInterleaved } from './interleaved-rounds.ts'
import { faultsOf } from './results.ts'
import { scenarios } from './scenarios.ts'
import { serve } from './servers.ts'
import { ratios, summary } from './statistics.ts'
import { copiesOf, templateOf } from './testbed.ts'

/** Measures what a second and a third process gain, in a scenario that does not depend on the database and in one that does. */
export async function costOfWorkers({ databases, meter, options, dataDir, results, say }: Bench): Promise<void> {
  const database = 'bench_workers'
  await copiesOf(databases, await templateOf(databases, options.sizes[0]!, () => {}), [database])
  const url = databases.url(database)
  const [one, two, three] = await Promise.all(
    [[], ['--workers', '2'], ['--workers', '3']].map(async (words, at) => ({
      ...(await serve({ dataDir: join(dataDir, `workers-${at}`), url, words: ['--no-worker', ...words] })),
      database
    }))
  )
  try {
    const accounts = await accountsOf(url)
    for (const scenario of scenarios.filter(({ name }) => ['check', 'list', 'detail'].includes(name))) {
      await meter.prepare('workers', scenario.requests(accounts))
      const targets = [
        { name: 'one', server: one!, set: 'workers' },
        { name: 'two', server: two!, set: 'workers' },
        { name: 'three', server: three!, set: 'workers' }
      ]
      const measured = await runInterleaved(meter, targets, 16, {
        ...options,
        warmUpMilliseconds: options.milliseconds
      })
      const speeds = (name: string) => measured[name]!.map(({ perSecond }) => perSecond)
      for (const [name, many] of [
        ['two', 'two processes'],
        ['three', 'three processes']
      ] as const) {
        const value = summary(ratios(speeds(name), speeds('one')))
        const mark = name === 'two' && scenario.name !== 'check' ? { atLeast: 1.5 } : undefined
        results.costs.push({ name: `${scenario.name} with ${many}`, unit: '× one', value, mark })
        results.faults.push(...faultsOf(`${scenario.name} with ${many}`, measured[name]!))
      }
      say(`${scenario.name} with several processes`)
    }
  } finally {
    await Promise.all([one, two, three].map(server => server!.stop()))
    await databases.drop(database)
  }
}
