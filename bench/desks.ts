import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { barePath, bareSteps, isBare, makeBareTables } from './bare-writes.ts'
import { type Cast, castOf } from './cast.ts'
import type { DatabaseServer } from './database-server.ts'
import { fill, migrateDatabase } from './fill.ts'
import type { Measured } from './measuring.ts'
import { recordSteps } from './recording.ts'
import type { Scenario } from './scenarios.ts'
import { connections, environmentOf, root, serve, startFloor } from './servers.ts'
import type { Step } from './steps.ts'

/** A filled database with Deskline and the floor on it. */
export interface Desk {
  tickets: number
  url: string
  cast: Cast
  /** What the scenarios send to the database. */
  steps: Record<string, Step[]>
  ours: Measured
  floor: Measured
  /** The second floor, where some scenario has one. */
  bare: Measured | undefined
  stop(): Promise<void>
}

/** The filled database from which copies are made; filled now unless it is there already. Answers its name. */
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

/** Of another filling or another schema a former template has another name. */
function templateName(tickets: number): string {
  const migrations = readdirSync(join(root, 'migrations')).sort()
  const filling = ['fill', 'fill-scale', 'fill-statements', 'vocabulary'].map(name =>
    readFileSync(join(import.meta.dirname, `${name}.ts`), 'utf8')
  )
  const print = createHash('sha256')
    .update([...migrations, ...filling].join('\n'))
    .digest('hex')
    .slice(0, 8)
  return `bench_template_${tickets}_${print}`
}

/** Whether this is a filled database from which copies can be made now. */
export function isTemplate(database: string): boolean {
  const tickets = /^bench_template_(\d+)_/.exec(database)?.[1]
  return tickets !== undefined && templateName(Number(tickets)) === database
}

interface DeskOptions {
  tickets: number
  folder: string
  scenarios: readonly Scenario[]
  /** Nobody needs the filled database any more: to copy ten gigabytes takes its time. */
  usesUp: boolean
}

/** Serves a copy of a filled database, by Deskline and by the floor. */
export async function openDesk(
  databases: DatabaseServer,
  { tickets, folder, scenarios, usesUp }: DeskOptions,
  progress: (done: string) => void
): Promise<Desk> {
  const database = deskName(tickets)
  const dataDir = join(folder, `desk-${tickets}`)
  const template = await templateOf(databases, tickets, progress)
  await (usesUp ? databases.rename(template, database) : databases.make(database, template))
  const url = databases.url(database)
  // E-mails are the worker's, which would do its work while something else is measured.
  const ours = await serve({ dataDir, url, words: ['--no-worker'] })
  const cast = await castOf(url)
  const steps = await recordSteps(environmentOf(dataDir, url), scenarios, cast)
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
        program: [join(import.meta.dirname, 'bare-desk.ts')]
      })
    : undefined
  return {
    tickets,
    url,
    cast,
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

/** The database of a desk, which stays when the desk is closed. */
export function deskName(tickets: number): string {
  return `bench_desk_${tickets}`
}
