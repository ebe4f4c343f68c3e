import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fastFolder } from './support/fast-folder.ts'
import type { LaneTally } from './support/lane.ts'
import { pagesLane, pageTests } from './support/pages-lane.ts'
import { inRunFolder } from './support/run-folder.ts'
import { touchesDatabase } from './support/touches-database.ts'
import { makeUsedCluster } from './support/used-cluster.ts'

// Runs the tests, or those whose path contains a word that was given: `npm test -- tickets`. Those in `test/checks` start, kill and
// upgrade services for minutes, and those of integrators need tools of their own: they are only run when they are named, as steps of
// `bin/check` do. In lanes side by side: tests that start whole services spend their time waiting for them, the others wait for the
// database, and those of the pages for a browser. Whatever they leave lying about is gone with the run, also when it is broken off.
const root = join(import.meta.dirname, '..')
/** Where more files fail, it was no chance. */
const maxRepeated = 5
const words = process.argv.slice(2)
const isOfAStep = (path: string) => /^test\/(checks\/|integrators)/.test(path)
const isMeant = (path: string) => (words.length === 0 ? !isOfAStep(path) : words.some(word => path.includes(word)))
// What never meets a database says the same on another server.
const isOfServer = (path: string) => !process.env.DATABASE_URL || touchesDatabase(join(root, path))
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  .filter(isMeant)
  .filter(isOfServer)
  .sort()
const browserFiles = pageTests().filter(isMeant)
const startsServices =
  /support\/(program|backups)\.ts'|faults\/[\w-]+\.ts'|embedded-testing\.ts'|from '\.\/embedded\.ts'/
// Those that start services take longest, and begin first.
const [services, others] = [files.filter(isOfServices), files.filter(path => !isOfServices(path))]
/** Each lane takes from the first of its queues that has something left. */
const queuesOfLanes = [
  [services, others],
  [others, services],
  [others, services],
  [others, services]
]

process.exitCode = await inRunFolder(fastFolder(), async ({ folder, start }) => {
  const env = {
    ...process.env,
    ...(await makeUsedCluster(folder)),
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tests')
  }
  const pages = browserFiles.length > 0 ? pagesLane(browserFiles) : undefined
  const runLane = (stdio: 'inherit' | 'pipe', next: () => string | undefined) => {
    const words = ['--max-semi-space-size=64', join(root, 'test/support/lane.ts')]
    return endOf(start(process.execPath, words, { cwd: root, env, stdio: [stdio, stdio, stdio, 'ipc'] }), next)
  }
  const running = queuesOfLanes.slice(0, files.length).map((queues, at) =>
    // One is shown as it goes, the others when they are over.
    runLane(at === 0 ? 'inherit' : 'pipe', () => queues.find(queue => queue.length > 0)?.shift())
  )
  if (pages && 'words' in pages) {
    const lane = start(process.execPath, pages.words, { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe', 'ipc'] })
    running.push(endOf(lane, () => undefined))
  }
  const ends = await Promise.all(running)
  if (pages && 'tally' in pages) ends.push({ code: 0, tallies: [pages.tally] })
  const isBroken = ends.some(({ code, tallies }) => code !== 0 && tallies.every(({ failed }) => failed.length === 0))
  const tallies = await repeatFailed(
    ends.flatMap(({ tallies }) => tallies),
    runLane
  )
  sumUp(tallies)
  return isBroken || tallies.some(({ failed }) => failed.length > 0) ? 1 : 0
})

/** CI runs a few files that failed once more, with nothing beside them, and names the tests that pass then: they failed by chance. */
async function repeatFailed(
  tallies: LaneTally[],
  runLane: (stdio: 'inherit', next: () => string | undefined) => ReturnType<typeof endOf>
): Promise<LaneTally[]> {
  const failed = tallies.filter(({ path, failed }) => path && failed.length > 0)
  if (!process.env.CI || failed.length === 0 || failed.length > maxRepeated) return tallies
  process.stdout.write('\nWhat failed is run once more:\n')
  const queue = failed.map(({ path }) => relativeTo(path!))
  const { tallies: repeated } = await runLane('inherit', () => queue.shift())
  return tallies.map(tally => {
    const again = repeated.find(({ path }) => path && path === tally.path)
    if (!again || again.failed.length > 0) return tally
    process.stdout.write(`\nFailed at first, passed alone:\n${listed(tally.failed)}`)
    return again
  })
}

function isOfServices(path: string): boolean {
  return startsServices.test(readFileSync(join(root, path), 'utf8'))
}

/** Gives a lane one file after the other, and answers how it ended; what it held back is shown then. One that broke off has failed. */
async function endOf(
  lane: ChildProcess,
  next: () => string | undefined
): Promise<{ code: number; tallies: LaneTally[] }> {
  const held: Buffer[] = []
  const tallies: LaneTally[] = []
  let path: string | undefined
  lane.stdout?.on('data', chunk => held.push(chunk))
  lane.stderr?.on('data', chunk => held.push(chunk))
  lane.on('message', message => {
    tallies.push(message as LaneTally)
    path = next()
    lane.send(path ? join(root, path) : '', () => {})
  })
  const [code] = (await once(lane, 'close')) as [number | null]
  process.stdout.write(Buffer.concat(held))
  if (path)
    tallies.push({ passed: 0, skipped: 0, failed: [`${path}: the process broke off (${lane.signalCode ?? code})`] })
  return { code: path || tallies.length === 0 ? 1 : (code ?? 1), tallies }
}

/** The failures of all lanes, named again, and one line that counts. */
function sumUp(tallies: LaneTally[]): void {
  const failed = tallies.flatMap(tally => tally.failed)
  const counted = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0).toLocaleString('en')
  if (failed.length > 0) process.stdout.write(`\nFailed:\n${listed(failed)}`)
  const passed = counted(tallies.map(tally => tally.passed))
  const skipped = counted(tallies.map(tally => tally.skipped))
  process.stdout.write(`\n${passed} passed, ${counted([failed.length])} failed, ${skipped} skipped\n`)
}

function listed(names: string[]): string {
  return names.map(name => `  ${relativeTo(name)}\n`).join('')
}

function relativeTo(name: string): string {
  return name.startsWith(root) ? relative(root, name) : name
}
