import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Runs every test, or those whose path contains a word that was given: `npm test -- tickets`. Tests that start whole services spend
// their time waiting for them, so they run in a lane of their own beside the others.
const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  .filter(path => words.length === 0 || words.some(word => path.includes(word)))
  .sort()
const startsServices =
  /support\/(program|backups)\.ts'|faults\/[\w-]+\.ts'|embedded-testing\.ts'|from '\.\/embedded\.ts'/
const lanes = Object.values(
  Object.groupBy(files, path => (startsServices.test(readFileSync(join(root, path), 'utf8')) ? 'services' : 'rest'))
) as string[][]

const codes = await Promise.all(lanes.map(run))
process.exitCode = Math.max(0, ...codes)

/** One lane in one process, printed when it is over; answers its exit code. */
async function run(paths: string[]): Promise<number> {
  const lane = spawn(process.execPath, ['--test', '--test-isolation=none', ...paths], { cwd: root })
  const output: Buffer[] = []
  lane.stdout.on('data', chunk => output.push(chunk))
  lane.stderr.on('data', chunk => output.push(chunk))
  const code = await new Promise<number>(resolve => lane.on('close', code => resolve(code ?? 1)))
  process.stdout.write(Buffer.concat(output))
  return code
}
