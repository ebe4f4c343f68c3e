import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { browserTestCommand, browserTests } from './support/browser-tests.ts'
import { memoryFolder } from './support/memory-folder.ts'
import { needsDatabase } from './support/needs-database.ts'
import { inRunFolder } from './support/run-folder.ts'
import { makeTemplateCluster } from './support/template-cluster.ts'
import type { TestTally } from './support/test-worker.ts'

// Runs the tests, or those whose path contains a given word: `npm test -- tickets`. Those in `test/checks` start, kill and upgrade services
// for minutes, as those in `web/tests/checks` keep a browser, and those of integrators need tools of their own: they only run when they are
// named, as the steps of `bin/check` do. Several worker processes run files in parallel: tests that start whole services mostly wait for
// them, others wait for the database, and those of the pages for a browser. Whatever they leave behind is removed with the run folder, also
// when the run is aborted.
const root = join(import.meta.dirname, '..')
/** If more files fail, they did not fail by chance, and none is repeated. */
const maxRepeated = 5
/** A file that takes longer waits for what will never be. */
const longestFileMilliseconds = 600_000
const words = process.argv.slice(2)
const isNamedOnly = (path: string) => /^(test\/integrators|(web\/tests|test)\/checks\/)/.test(path)
const isSelected = (path: string) => (words.length === 0 ? !isNamedOnly(path) : words.some(word => path.includes(word)))
// A test without a database need not be repeated on another server, nor what integrators make of the description.
const runsOnThisServer = (path: string) =>
  !process.env.DATABASE_URL || (needsDatabase(join(root, path)) && !path.startsWith('test/integrators'))
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  .filter(isSelected)
  .filter(runsOnThisServer)
  .sort()
const browserFiles = browserTests().filter(isSelected)
const startsServices =
  /support\/(program|backups)\.ts'|faults\/[\w-]+\.ts'|embedded-testing\.ts'|from '\.\/embedded\.ts'/
// Files that start services take longest, so they begin first.
const [services, others] = [files.filter(isOfServices), files.filter(path => !isOfServices(path))]
const needsCluster =
  browserFiles.length > 0 || files.some(path => needsDatabase(join(root, path)) || isOfServices(path))
/** Each worker takes files from the first of its queues that is not empty. */
const queuesOfWorkers = [
  [services, others],
  [others, services],
  [others, services],
  [others, services]
]

process.exitCode = await inRunFolder(memoryFolder(), async ({ folder, start }) => {
  const env = {
    ...process.env,
    ...(needsCluster && (await makeTemplateCluster(folder))),
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tests')
  }
  const pages = browserFiles.length > 0 ? browserTestCommand(browserFiles) : undefined
  const runWorker = (stdio: 'inherit' | 'pipe', next: () => string | undefined) => {
    const words = ['--max-semi-space-size=64', join(root, 'test/support/test-worker.ts')]
    return endOf(start(process.execPath, words, { cwd: root, env, stdio: [stdio, stdio, stdio, 'ipc'] }), next)
  }
  const running = queuesOfWorkers.slice(0, files.length).map((queues, at) =>
    // The output of the first worker is shown as it arrives, that of the others when they have ended.
    runWorker(at === 0 ? 'inherit' : 'pipe', () => queues.find(queue => queue.length > 0)?.shift())
  )
  if (pages && 'words' in pages) {
    const stdio = running.length > 0 ? 'pipe' : 'inherit'
    const browser = start(process.execPath, pages.words, { cwd: root, env, stdio: [stdio, stdio, stdio, 'ipc'] })
    running.push(endOf(browser, () => undefined))
  }
  const ends = await Promise.all(running)
  if (pages && 'tally' in pages) ends.push({ code: 0, tallies: [pages.tally] })
  const isBroken = ends.some(({ code, tallies }) => code !== 0 && tallies.every(({ failed }) => failed.length === 0))
  const tallies = await repeatFailed(
    ends.flatMap(({ tallies }) => tallies),
    runWorker
  )
  printSummary(tallies)
  return isBroken || tallies.some(({ failed }) => failed.length > 0) ? 1 : 0
})

/** In CI, runs a few failed files once more, alone, and lists the tests that pass then: they failed by chance. */
async function repeatFailed(
  tallies: TestTally[],
  runWorker: (stdio: 'inherit', next: () => string | undefined) => ReturnType<typeof endOf>
): Promise<TestTally[]> {
  const failed = tallies.filter(({ path, failed }) => path && failed.length > 0)
  if (!process.env.CI || failed.length === 0 || failed.length > maxRepeated) return tallies
  process.stdout.write('\nWhat failed is run once more:\n')
  const queue = failed.map(({ path }) => relativeTo(path!))
  const { tallies: repeated } = await runWorker('inherit', () => queue.shift())
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

/**
 * Gives a worker one file after the other until none is left, then shows its output. A worker that ends in the middle of a file, or is ended
 * because the file has no end, has failed.
 */
async function endOf(
  worker: ChildProcess,
  next: () => string | undefined
): Promise<{ code: number; tallies: TestTally[] }> {
  const output: Buffer[] = []
  const tallies: TestTally[] = []
  let path: string | undefined
  let limit: NodeJS.Timeout | undefined
  worker.stdout?.on('data', chunk => output.push(chunk))
  worker.stderr?.on('data', chunk => output.push(chunk))
  worker.on('message', message => {
    tallies.push(message as TestTally)
    path = next()
    clearTimeout(limit)
    if (path) limit = setTimeout(() => worker.kill('SIGKILL'), longestFileMilliseconds)
    worker.send(path ? join(root, path) : '', () => {})
  })
  const [code] = (await once(worker, 'close')) as [number | null]
  clearTimeout(limit)
  process.stdout.write(Buffer.concat(output))
  if (path) {
    const failed = [`${path}: the process broke off (${worker.signalCode ?? code})`]
    tallies.push({ passed: 0, skipped: 0, failed, path: join(root, path) })
  }
  return { code: path || tallies.length === 0 ? 1 : (code ?? 1), tallies }
}

/** Prints the failures of all workers again, after a whole run the files that took longest, and one line with the totals. */
function printSummary(tallies: TestTally[]): void {
  const failed = tallies.flatMap(tally => tally.failed)
  const counted = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0).toLocaleString('en')
  if (failed.length > 0) process.stdout.write(`\nFailed:\n${listed(failed)}`)
  const passed = counted(tallies.map(tally => tally.passed))
  const skipped = counted(tallies.map(tally => tally.skipped))
  const slowest = tallies.toSorted((one, other) => (other.seconds ?? 0) - (one.seconds ?? 0)).slice(0, 10)
  if (files.length > 100) process.stdout.write(`\nThe slowest files:\n${slowest.map(timed).join('')}`)
  process.stdout.write(`\n${passed} passed, ${counted([failed.length])} failed, ${skipped} skipped\n`)
}

function timed({ path, seconds = 0 }: TestTally): string {
  return `  ${seconds.toFixed(1).padStart(6)} s  ${relativeTo(path ?? '')}\n`
}

function listed(names: string[]): string {
  return names.map(name => `  ${relativeTo(name)}\n`).join('')
}

function relativeTo(name: string): string {
  return name.startsWith(root) ? relative(root, name) : name
}
