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
  const running = queuesOfLanes.slice(0, files.length).map((queues, at) => {
    // One is shown as it goes, the others when they are over.
    const stdio = at === 0 ? 'inherit' : 'pipe'
    const words = ['--max-semi-space-size=64', join(root, 'test/support/lane.ts')]
    const lane = start(process.execPath, words, { cwd: root, env, stdio: [stdio, stdio, stdio, 'ipc'] })
    return endOf(lane, () => queues.find(queue => queue.length > 0)?.shift())
  })
  if (pages && 'words' in pages) {
    const lane = start(process.execPath, pages.words, { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe', 'ipc'] })
    running.push(endOf(lane, () => undefined))
  }
  const ends = await Promise.all(running)
  if (pages && 'tally' in pages) ends.push({ code: 0, tallies: [pages.tally] })
  sumUp(ends.flatMap(({ tallies }) => tallies))
  return Math.max(0, ...ends.map(({ code }) => code))
})

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
  if (failed.length > 0) process.stdout.write(`\nFailed:\n${failed.map(name => `  ${relativeTo(name)}\n`).join('')}`)
  const passed = counted(tallies.map(tally => tally.passed))
  const skipped = counted(tallies.map(tally => tally.skipped))
  process.stdout.write(`\n${passed} passed, ${counted([failed.length])} failed, ${skipped} skipped\n`)
}

function relativeTo(name: string): string {
  return name.startsWith(root) ? relative(root, name) : name
}
