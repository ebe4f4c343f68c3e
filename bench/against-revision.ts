import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { accountsOf } from './accounts.ts'
import type { Bench } from './against-floor.ts'
import { runInterleaved } from './interleaved-rounds.ts'
import { type MeasuredServer, quantities } from './meter.ts'
import { rawRequest } from './raw-request.ts'
import { faultsOf } from './results.ts'
import { environmentOf, root, serve } from './servers.ts'
import { isBeyondNoise, ratios, summary } from './statistics.ts'
import { textTable, withSpread } from './table.ts'
import { templateOf } from './testbed.ts'

/** The label of each quantity that is compared. */
const quantityLabels = { perSecond: 'per second', p50: 'p50', p99: 'p99', cpu: 'CPU', databaseCpu: 'database CPU' }

/** Measures every scenario with this checkout and with another revision, side by side on the same data, and reports what differs beyond noise. */
export async function compareWithRevision(bench: Bench, revision: string): Promise<void> {
  const { databases, options, dataDir } = bench
  const folder = join(dataDir, 'revision')
  await git('worktree', 'prune')
  await git('worktree', 'add', '--force', '--detach', folder, revision)
  try {
    await installPackages(folder)
    for (const tickets of options.sizes) {
      const templates = await templatesOf(bench, folder, tickets)
      const servers: MeasuredServer[] = []
      try {
        for (const [database, of, template] of [
          ['bench_ours', root, templates.ours],
          ['bench_theirs', folder, templates.theirs]
        ] as const) {
          await databases.make(database, template)
          const url = databases.url(database)
          const server = await serve({ dataDir: join(dataDir, database), url, words: ['--no-worker'], folder: of })
          servers.push({ ...server, database })
        }
        await compare(bench, servers as [MeasuredServer, MeasuredServer], tickets)
      } finally {
        for (const { stop, database } of servers) await stop().then(() => databases.drop(database))
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
    await git('worktree', 'prune')
  }
}

/** Installs the packages of the revision, or links ours if its lock file is the same. */
async function installPackages(folder: string): Promise<void> {
  const [own, theirs] = await Promise.all([root, folder].map(each => readFile(join(each, 'package-lock.json'), 'utf8')))
  if (own === theirs) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  else await promisify(execFile)('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder })
}

/** The filled databases of both: one for both if their migrations are the same, else each with its own schema, filled alike. */
async function templatesOf({ databases, dataDir, say }: Bench, folder: string, tickets: number) {
  const [own, theirs] = await Promise.all([root, folder].map(each => readdir(join(each, 'migrations'))))
  const ours = await templateOf(databases, tickets, say)
  if (own!.join() === theirs!.join()) return { ours, theirs: ours }
  const name = `bench_${tickets}_tickets_of_revision`
  await databases.make(name)
  const url = databases.url(name)
  const env = environmentOf(join(dataDir, 'revision-data'), url)
  await promisify(execFile)(process.execPath, [join(folder, 'bin/deskline.js'), 'migrate'], { env })
  say(`filling ${tickets} tickets as the revision has them`)
  const { href } = pathToFileURL(fillModuleOf(folder))
  const script = `const { fill } = await import(${JSON.stringify(href)}); await fill(${JSON.stringify(url)}, ${tickets}, () => {})`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder, env })
  return { ours, theirs: name }
}

/** The module with which the revision fills its own schema. Ours knows only the newest schema. */
export function fillModuleOf(folder: string): string {
  const path = join(folder, 'bench/fill.ts')
  if (existsSync(path)) return path
  throw new Error(
    'That revision has other migrations and no bench/fill.ts, so that there are no data for both: name a later one'
  )
}

async function compare(
  { databases, meter, scenarios, options, results, say }: Bench,
  servers: [MeasuredServer, MeasuredServer],
  tickets: number
) {
  const [ours, theirs] = servers
  const rows: string[][] = []
  for (const scenario of scenarios) {
    for (const server of servers) {
      await meter.prepare(server.database, scenario.requests(await accountsOf(databases.url(server.database))))
    }
    const [request] = scenario.requests(await accountsOf(databases.url(theirs.database)))
    const { status } = await rawRequest(theirs.port, request!)
    if (status >= 300) {
      say(`${scenario.name}: the other revision answers ${status}`)
      continue
    }
    for (const concurrency of options.concurrency) {
      const targets = [
        { name: 'ours', server: ours, set: ours.database },
        { name: 'theirs', server: theirs, set: theirs.database }
      ]
      const roundOptions = { ...options, warmUpMilliseconds: options.milliseconds * 2 }
      const measured = await runInterleaved(meter, targets, concurrency, roundOptions)
      results.faults.push(...faultsOf(scenario.name, measured.ours!))
      const differences: string[] = []
      const cells = quantities.map(name => {
        const [own, other] = [measured.ours!, measured.theirs!].map(rounds => rounds.map(round => round[name]))
        const compared = ratios(own!, other!)
        const { median } = summary(compared)
        if (isBeyondNoise(compared)) {
          const isBetter = name === 'perSecond' ? median > 1 : median < 1
          differences.push(`${quantityLabels[name]} ${isBetter ? 'better' : 'WORSE'}`)
        }
        return withSpread(summary(compared))
      })
      rows.push([scenario.name, String(concurrency), ...cells, differences.join(', ') || 'the same'])
      say(`${scenario.name}, c=${concurrency}: ${differences.join(', ') || 'no difference beyond noise'}`)
    }
  }
  const heads = ['scenario', 'c', ...quantities.map(name => `${quantityLabels[name]} ×`), 'beyond noise']
  console.log(
    `\nThis checkout in comparison with ${options.against}, ${tickets.toLocaleString('en-US')} tickets:\n${textTable(heads, rows)}`
  )
}

async function git(...words: string[]): Promise<void> {
  await promisify(execFile)('git', words, { cwd: root })
}
