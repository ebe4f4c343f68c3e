import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { readConfig } from '../src/config.ts'
import { openInstallation } from '../src/installation.ts'
import { makeLog } from '../src/platform/log.ts'
import { rewriteProgress, runRewrites } from '../src/rewrites/run-rewrites.ts'
import type { Bench } from './against-floor.ts'
import { castOf } from './cast.ts'
import { contest } from './contest.ts'
import { templateOf } from './desks.ts'
import { type Measured, quantities } from './measuring.ts'
import { faultsOf } from './results.ts'
import { environmentOf, root, serve } from './servers.ts'
import { isBeyondNoise, ratios, summary } from './statistics.ts'
import { rawRequest } from './subject.ts'
import { textTable, withSpread } from './table.ts'

/** What is told of each scenario, and whether more of it is better. */
const told = { perSecond: 'per second', p50: 'p50', p99: 'p99', cpu: 'CPU', databaseCpu: 'database CPU' }

/** Every scenario by this checkout and by another revision, side by side on the same data; says what differs beyond noise. */
export async function compareWithRevision(bench: Bench, revision: string): Promise<void> {
  const { databases, options, dataDir } = bench
  const folder = join(dataDir, 'revision')
  await git('worktree', 'prune')
  await git('worktree', 'add', '--force', '--detach', folder, revision)
  try {
    await installPackages(folder)
    for (const tickets of options.sizes) {
      const template = await templateForBoth(bench, folder, tickets)
      const servers: Measured[] = []
      try {
        for (const [database, of] of [
          ['bench_ours', root],
          ['bench_theirs', folder]
        ] as const) {
          await databases.make(database, template)
          const url = databases.url(database)
          const server = await serve({ dataDir: join(dataDir, database), url, words: ['--no-worker'], folder: of })
          if (of === root) await finishRewrites(environmentOf(join(dataDir, database), url))
          servers.push({ ...server, database })
        }
        await compare(bench, servers as [Measured, Measured], tickets)
      } finally {
        for (const { stop, database } of servers) await stop().then(() => databases.drop(database))
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
    await git('worktree', 'prune')
  }
}

/** The packages that the revision was made with: ours, where they are the same. */
async function installPackages(folder: string): Promise<void> {
  const [own, theirs] = await Promise.all([root, folder].map(each => readFile(join(each, 'package-lock.json'), 'utf8')))
  if (own === theirs) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  else await promisify(execFile)('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder })
}

/** Data in the schema that both can serve: the one of the revision, which ours brings to the newest when it starts. */
async function templateForBoth({ databases, dataDir, say }: Bench, folder: string, tickets: number): Promise<string> {
  const [own, theirs] = await Promise.all([root, folder].map(each => readdir(join(each, 'migrations'))))
  if (own!.join() === theirs!.join()) return await templateOf(databases, tickets, say)
  const name = `bench_${tickets}_tickets_of_revision`
  await databases.make(name)
  const url = databases.url(name)
  const env = environmentOf(join(dataDir, 'revision-data'), url)
  await promisify(execFile)(process.execPath, [join(folder, 'bin/deskline.js'), 'migrate'], { env })
  say(`filling ${tickets} tickets as the revision has them`)
  const { href } = pathToFileURL(fillingOf(folder))
  const filling = `const { fill } = await import(${JSON.stringify(href)}); await fill(${JSON.stringify(url)}, ${tickets}, () => {})`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', filling], { cwd: folder, env })
  return name
}

/** What our migrations leave to be rewritten later is done: an upgraded desk does it within minutes, by jobs, which nobody does here. */
async function finishRewrites(environment: Record<string, string>): Promise<void> {
  const { services, close } = await openInstallation(readConfig(environment), makeLog('silent'), {
    as: 'child',
    schema: 'require'
  })
  try {
    while ((await rewriteProgress(services.db)).length > 0) await runRewrites(services)
    await sql`vacuum (analyze)`.execute(services.db)
  } finally {
    await close()
  }
}

/** What the revision fills its own schema with. Ours knows the newest one alone. */
export function fillingOf(folder: string): string {
  const path = join(folder, 'bench/fill.ts')
  if (existsSync(path)) return path
  throw new Error(
    'That revision has other migrations and no bench/fill.ts, so that there are no data for both: name a later one'
  )
}

async function compare(
  { databases, meter, scenarios, options, results, say }: Bench,
  servers: [Measured, Measured],
  tickets: number
) {
  const [ours, theirs] = servers
  const rows: string[][] = []
  for (const scenario of scenarios) {
    for (const server of servers) {
      await meter.prepare(server.database, scenario.requests(await castOf(databases.url(server.database))))
    }
    const [request] = scenario.requests(await castOf(databases.url(theirs.database)))
    const { status } = await rawRequest(theirs.port, request!)
    if (status >= 300) {
      say(`${scenario.name}: the other revision answers ${status}`)
      continue
    }
    for (const concurrency of options.concurrency) {
      const contenders = [
        { name: 'ours', server: ours, set: ours.database },
        { name: 'theirs', server: theirs, set: theirs.database }
      ]
      const pace = { ...options, warmUpMilliseconds: options.milliseconds * 2 }
      const played = await contest(meter, contenders, concurrency, pace)
      results.faults.push(...faultsOf(scenario.name, played.ours!))
      const differences: string[] = []
      const cells = quantities.map(name => {
        const [own, other] = [played.ours!, played.theirs!].map(rounds => rounds.map(round => round[name]))
        const compared = ratios(own!, other!)
        const { median } = summary(compared)
        if (isBeyondNoise(compared)) {
          const isBetter = name === 'perSecond' ? median > 1 : median < 1
          differences.push(`${told[name]} ${isBetter ? 'better' : 'WORSE'}`)
        }
        return withSpread(summary(compared))
      })
      rows.push([scenario.name, String(concurrency), ...cells, differences.join(', ') || 'the same'])
      say(`${scenario.name}, c=${concurrency}: ${differences.join(', ') || 'no difference beyond noise'}`)
    }
  }
  const heads = ['scenario', 'c', ...quantities.map(name => `${told[name]} ×`), 'beyond noise']
  console.log(
    `\nThis checkout in comparison with ${options.against}, ${tickets.toLocaleString('en-US')} tickets:\n${textTable(heads, rows)}`
  )
}

async function git(...words: string[]): Promise<void> {
  await promisify(execFile)('git', words, { cwd: root })
}
