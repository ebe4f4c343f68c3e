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
const [services, others] = [true, false].map(kind => files.filter(path => startsServices.test(textOf(path)) === kind))

const codes = await Promise.all([run(services!, 'held back'), run(others!, 'at once')])
process.exitCode = Math.max(...codes)

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** One lane in one process, its output at once or when it is over; answers its exit code. */
async function run(paths: string[], output: 'at once' | 'held back'): Promise<number> {
  if (paths.length === 0) return 0
  const stdio = output === 'at once' ? 'inherit' : 'pipe'
  const lane = spawn(process.execPath, ['--test', '--test-isolation=none', ...paths], { cwd: root, stdio })
  const held: Buffer[] = []
  lane.stdout?.on('data', chunk => held.push(chunk))
  lane.stderr?.on('data', chunk => held.push(chunk))
  const code = await new Promise<number>(resolve => lane.on('close', code => resolve(code ?? 1)))
  process.stdout.write(Buffer.concat(held))
  return code
}
