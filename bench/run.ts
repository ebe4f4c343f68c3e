// Measures how near Deskline is to what the hardware can do, as ratios measured side by side. See docs/performance.md.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bench, compareWithFloor } from './against-floor.ts'
import { compareWithRevision } from './against-revision.ts'
import { chartsPage } from './charts.ts'
import { measureCosts, measureStart } from './costs.ts'
import { openServer } from './database-server.ts'
import { fillProgress } from './fill-progress.ts'
import { startLoad } from './load-process.ts'
import { describeMachine, flushDisks, revisionOf } from './machine.ts'
import { markColumns, markRow, marksOf } from './marks.ts'
import { openMeter } from './meter.ts'
import { type Options, readOptions, usage } from './options.ts'
import { withMeasurements } from './performance-page.ts'
import type { Results } from './results.ts'
import { scenarios } from './scenarios.ts'
import { root } from './servers.ts'
import { terminalTables, textTable } from './table.ts'
import { isTemplate, templateOf } from './testbed.ts'

const dataDir = join(import.meta.dirname, 'data')
const path = (name: string) => join(import.meta.dirname, name)

// An explicit exit runs the exit handlers, which end the child processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (process.argv.includes('--help')) console.log(usage)
else await main(readOptions(process.argv.slice(2)))

async function main(options: Options): Promise<void> {
  const startedAt = Date.now()
  const say = (text: string) => console.log(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`)
  const chosen = scenarios.filter(({ name, short }) =>
    options.only.length > 0 ? options.only.some(word => name.includes(word)) : !options.isShort || short
  )
  if (!process.env.DATABASE_URL && options.against === undefined) await fillTemplates(options, say)
  const databases = await openServer(dataDir)
  const load = startLoad()
  const meter = await openMeter(load, databases)
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await meter.close()
    load.stop()
    await databases.sweep(database => options.keeps && isTemplate(database))
    await databases.stop()
  }
  try {
    const [at, revision] = [new Date().toISOString(), await revisionOf()]
    const results: Results = {
      form: options.isShort ? 'short' : 'full',
      at,
      revision,
      machine: describeMachine(`${databases.version}, ${databases.kind}`),
      tickets: options.sizes,
      rounds: options.rounds,
      cells: [],
      bare: { at, revision, rounds: options.rounds, cells: [], alone: [], costs: [] },
      growth: [],
      costs: [],
      plans: [],
      faults: []
    }
    const bench: Bench = { databases, meter, options, scenarios: chosen, dataDir, results, say }
    if (options.against !== undefined) await compareWithRevision(bench, options.against)
    else {
      if (chosen.length > 0) await compareWithFloor(bench)
      await measureCosts(bench)
      await measureStart(bench, close)
      await reportResults(results, options)
    }
    const faults = [...results.faults, ...results.plans]
    for (const fault of faults) console.error(`NOT RIGHT: ${fault}`)
    if (faults.length > 0) process.exitCode = 1
    say('done')
  } finally {
    await close()
    if (!options.keeps) await rm(dataDir, { recursive: true, force: true })
  }
}

/** Fills the template databases on a server without fsync, which is faster; the server that is measured is durable and finds them ready. */
async function fillTemplates({ sizes }: Options, say: (text: string) => void): Promise<void> {
  const databases = await openServer(dataDir, { durable: false })
  try {
    for (const tickets of sizes) await templateOf(databases, tickets, fillProgress(tickets, say))
  } finally {
    await databases.stop()
  }
  await flushDisks()
}

async function reportResults(results: Results, { isShort, isBaseline, only }: Options): Promise<void> {
  const text = `${JSON.stringify(results, undefined, 2)}\n`
  console.log(`\n${terminalTables(results)}`)
  // A short run shows whether the bench works, not how fast anything is.
  if (!isShort) console.log(`\n${textTable(markColumns, marksOf(results).map(markRow))}`)
  await writeFile(path('results.json'), text)
  await writeFile(path('charts.html'), chartsPage(results))
  // A run with failed requests has not measured them.
  if (!isBaseline || results.faults.length > 0) return
  const committed =
    only.length === 0 ? results : withSecondFloor(JSON.parse(await readFile(path('baseline.json'), 'utf8')), results)
  await writeFile(path('baseline.json'), `${JSON.stringify(committed, undefined, 2)}\n`)
  const page = join(root, 'docs/performance.md')
  await writeFile(page, withMeasurements(await readFile(page, 'utf8'), committed))
}

/** The committed figures with the second floor's from a partial run, which takes two minutes instead of fifteen. */
function withSecondFloor(committed: Results, { bare, costs }: Results): Results {
  return bare.cells.length > 0 ? { ...committed, bare: { ...bare, costs } } : committed
}
