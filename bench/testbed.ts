import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Accounts, accountsOf } from './accounts.ts'
import { barePath, bareSteps, isBare, makeBareTables } from './bare-writes.ts'
import type { DatabaseServer } from './database-server.ts'
import { fill, migrateDatabase } from './fill.ts'
import type { MeasuredServer } from './meter.ts'
import { recordReplaySteps } from './record-replay-steps.ts'
import type { ReplayStep } from './replay-steps.ts'
import type { Scenario } from './scenarios.ts'
import { connections, environmentOf, root, serve, startFloor } from './servers.ts'

/** A filled database that Deskline and the floor serve. */
export interface Testbed {
  tickets: number
  url: string
  accounts: Accounts
  /** The statements of each scenario. */
  steps: Record<string, ReplayStep[]>
  ours: MeasuredServer
  floor: MeasuredServer
  /** The second floor, if a scenario has one. */
  bare: MeasuredServer | undefined
  stop(): Promise<void>
}

/** Returns the name of the filled database that copies are made from; fills it first if there is none. */
export async function templateOf(
  databases: DatabaseServer,
  tickets: number,
  progress: (done: string) => void
): Promise<string> {
  const name = templateName(tickets)
  if (await databases.has(name)) return name
  const unfinished = `${name}_unfinished`
  await databases.make(unfinished)
  await migrateDatabase(databases.url(unfinished))
  await fill(databases.url(unfinished), tickets, progress)
  await databases.rename(unfinished, name)
  return name
}

/** Copies of a template, whose readers have followed the log as those of a desk have: otherwise they would be reading it while something is measured. */
export async function copiesOf(databases: DatabaseServer, template: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await databases.make(name, template)
    const client = new pg.Client({ connectionString: databases.url(name) })
    await client.connect()
    try {
      await client.query('update event_readers set place = (select last_place from event_sequencer)')
    } finally {
      await client.end()
    }
  }
}

/** The name changes with the schema and with the code that fills it. */
function templateName(tickets: number): string {
  const migrations = readdirSync(join(root, 'migrations')).sort()
  const sources = ['fill', 'fill-scale', 'fill-statements', 'sample-texts'].map(name =>
    readFileSync(join(import.meta.dirname, `${name}.ts`), 'utf8')
  )
  const digest = createHash('sha256')
    .update([...migrations, ...sources].join('\n'))
    .digest('hex')
    .slice(0, 8)
  return `bench_template_${tickets}_${digest}`
}

/** Whether this is an up-to-date filled database that copies can be made from. */
export function isTemplate(database: string): boolean {
  const tickets = /^bench_template_(\d+)_/.exec(database)?.[1]
  return tickets !== undefined && templateName(Number(tickets)) === database
}

interface TestbedOptions {
  tickets: number
  folder: string
  scenarios: readonly Scenario[]
  /** Renames the template instead of copying it, because copying ten gigabytes takes long; nothing else may need it. */
  consumesTemplate: boolean
}

/** Serves a copy of a filled database with Deskline and with the floor. */
export async function openTestbed(
  databases: DatabaseServer,
  { tickets, folder, scenarios, consumesTemplate }: TestbedOptions,
  progress: (done: string) => void
): Promise<Testbed> {
  const database = testbedDatabase(tickets)
  const dataDir = join(folder, `desk-${tickets}`)
  const template = await templateOf(databases, tickets, progress)
  await (consumesTemplate ? databases.rename(template, database) : databases.make(database, template))
  const url = databases.url(database)
  // A worker would send e-mails while something else is measured.
  const ours = await serve({ dataDir, url, words: ['--no-worker'] })
  const accounts = await accountsOf(url)
  const steps = await recordReplaySteps(environmentOf(dataDir, url), scenarios, accounts)
  const hasBare = scenarios.some(({ name }) => isBare(name))
  if (hasBare) await makeBareTables(url)
  const floor = await startFloor({
    url,
    dataDir: join(folder, `floor-${tickets}`),
    connections,
    routes: Object.fromEntries(
      scenarios.flatMap(({ name, path, sendsForm, hashesAfter }) => [
        [`${path}${sendsForm ? '#form' : ''}`, { steps: steps[name]!, hashesAfter }],
        ...(isBare(name) ? [[barePath(path), { steps: bareSteps(name, steps[name]!), hashesAfter }]] : [])
      ])
    )
  })
  const bare = hasBare
    ? await serve({
        dataDir: join(folder, `bare-${tickets}`),
        url,
        program: [join(import.meta.dirname, 'bare-writes-server.ts')]
      })
    : undefined
  return {
    tickets,
    url,
    accounts,
    steps,
    ours: { ...ours, database },
    floor: { ...floor, database },
    bare: bare && { ...bare, database },
    async stop() {
      await ours.stop()
      await floor.stop()
      await bare?.stop()
    }
  }
}

/** The database of a testbed, which is kept when the testbed is stopped. */
export function testbedDatabase(tickets: number): string {
  return `bench_desk_${tickets}`
}
