import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fastFolder } from './support/fast-folder.ts'
import type { LaneTally } from './support/lane.ts'
import { pagesLane, pageTests } from './support/pages-lane.ts'
import { inRunFolder } from './support/run-folder.ts'
import { makeUsedCluster } from './support/used-cluster.ts'

// Runs every test, or those whose path contains a word that was given: `npm test -- tickets`. In lanes side by side: tests that
// start whole services spend their time waiting for them, the others, dealt out in turn, wait for the
// database, and those of the pages for a browser. Whatever they leave lying about is gone with the run, also when it is broken off.
const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const isMeant = (path: string) => words.length === 0 || words.some(word => path.includes(word))
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).filter(isMeant).sort()
const browserFiles = pageTests().filter(isMeant)
const startsServices =
  /support\/(program|backups)\.ts'|faults\/[\w-]+\.ts'|embedded-testing\.ts'|from '\.\/embedded\.ts'/
const lanes = Object.groupBy(files, (path, at) => (startsServices.test(textOf(path)) ? 'services' : `others ${at % 3}`))

process.exitCode = await inRunFolder(fastFolder(), async ({ folder, start }) => {
  const env = { ...process.env, ...(await makeUsedCluster(folder)) }
  const lane = ['--max-semi-space-size=64', join(root, 'test/support/lane.ts')]
  const pages = browserFiles.length > 0 ? pagesLane(browserFiles) : undefined
  const started = Object.values(lanes).map(paths => [...lane, ...paths!])
  if (pages && 'words' in pages) started.push(pages.words)
  const running = started.map((words, at) => {
    // One is shown as it goes, the others when they are over.
    const stdio = at === 0 ? 'inherit' : 'pipe'
    return endOf(start(process.execPath, words, { cwd: root, env, stdio: [stdio, stdio, stdio, 'ipc'] }))
  })
  const ends = await Promise.all(running)
  if (pages && 'tally' in pages) ends.push({ code: 0, tally: pages.tally })
  sumUp(ends.flatMap(({ tally }) => tally ?? []))
  return Math.max(0, ...ends.map(({ code }) => code))
})

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** How a lane ended; what it held back is shown then. Without a tally it broke off. */
async function endOf(lane: ChildProcess): Promise<{ code: number; tally: LaneTally | undefined }> {
  const held: Buffer[] = []
  let tally: LaneTally | undefined
  lane.stdout?.on('data', chunk => held.push(chunk))
  lane.stderr?.on('data', chunk => held.push(chunk))
  lane.on('message', message => {
    tally = message as LaneTally
  })
  const [code] = (await once(lane, 'close')) as [number | null]
  process.stdout.write(Buffer.concat(held))
  if (!tally) process.stdout.write('A lane broke off before its tests were over.\n')
  return { code: tally ? (code ?? 1) : 1, tally }
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
