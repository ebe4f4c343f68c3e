import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fastFolder } from './support/fast-folder.ts'
import { inRunFolder } from './support/run-folder.ts'
import { makeUsedCluster } from './support/used-cluster.ts'

// Runs every test, or those whose path contains a word that was given: `npm test -- tickets`. In four lanes side by side: tests that
// start whole services spend their time waiting for them, and the others, dealt out in turn, wait for the
// database. Whatever they leave lying about is gone with the run, also when it is broken off.
const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  .filter(path => words.length === 0 || words.some(word => path.includes(word)))
  .sort()
const startsServices =
  /support\/(program|backups)\.ts'|faults\/[\w-]+\.ts'|embedded-testing\.ts'|from '\.\/embedded\.ts'/
const lanes = Object.groupBy(files, (path, at) => (startsServices.test(textOf(path)) ? 'services' : `others ${at % 3}`))

process.exitCode = await inRunFolder(fastFolder(), async ({ folder, start }) => {
  const env = { ...process.env, ...(await makeUsedCluster(folder)) }
  const flags = ['--max-semi-space-size=64', '--test', '--test-isolation=none']
  const running = Object.values(lanes).map((paths, at) => {
    // One is shown as it goes, the others when they are over.
    const stdio = at === 0 ? 'inherit' : 'pipe'
    return codeOf(start(process.execPath, [...flags, ...paths!], { cwd: root, env, stdio }))
  })
  return Math.max(0, ...(await Promise.all(running)))
})

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** The exit code of a lane when it is over; what it held back is shown then. */
async function codeOf(lane: ChildProcess): Promise<number> {
  const held: Buffer[] = []
  lane.stdout?.on('data', chunk => held.push(chunk))
  lane.stderr?.on('data', chunk => held.push(chunk))
  const [code] = (await once(lane, 'close')) as [number | null]
  process.stdout.write(Buffer.concat(held))
  return code ?? 1
}
