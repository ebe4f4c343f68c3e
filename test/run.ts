import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fastFolder } from './support/fast-folder.ts'
import { makeUsedCluster } from './support/used-cluster.ts'

// Runs every test, or those whose path contains a word that was given: `npm test -- tickets`. In four lanes side by side: tests that
// start whole services spend their time waiting for them, and the others, dealt out in turn, wait for the
// database.
const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  .filter(path => words.length === 0 || words.some(word => path.includes(word)))
  .sort()
const startsServices =
  /support\/(program|backups)\.ts'|faults\/[\w-]+\.ts'|embedded-testing\.ts'|from '\.\/embedded\.ts'/
const lanes = Object.groupBy(files, (path, at) => (startsServices.test(textOf(path)) ? 'services' : `others ${at % 3}`))
const [first, ...others] = Object.values(lanes) as string[][]

const { environment, remove } = await makeUsedCluster()
// One is shown as it goes, the others when they are over.
const codes = await Promise.all([run(first ?? [], 'at once'), ...others.map(paths => run(paths, 'held back'))])
await remove()
process.exitCode = Math.max(...codes)

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** One lane in one process, its output at once or when it is over; answers its exit code. */
async function run(paths: string[], output: 'at once' | 'held back'): Promise<number> {
  if (paths.length === 0) return 0
  const stdio = output === 'at once' ? 'inherit' : 'pipe'
  const lane = spawn(process.execPath, ['--max-semi-space-size=64', '--test', '--test-isolation=none', ...paths], {
    cwd: root,
    stdio,
    env: { ...process.env, ...environment, TMPDIR: fastFolder() }
  })
  const held: Buffer[] = []
  lane.stdout?.on('data', chunk => held.push(chunk))
  lane.stderr?.on('data', chunk => held.push(chunk))
  const code = await new Promise<number>(resolve => lane.on('close', code => resolve(code ?? 1)))
  process.stdout.write(Buffer.concat(held))
  return code
}
