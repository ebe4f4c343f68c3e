import { once } from 'node:events'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { closeTestDatabases, closeTestServer } from './database.ts'

/** The result of a file, which the parent needs for the summary of all workers. */
export interface TestTally {
  passed: number
  skipped: number
  /** Each test that failed, as `file: name`. */
  failed: string[]
  /** The file of the tests, if they are all of one. */
  path?: string
  /** How long the file took. */
  seconds?: number
}

// Runs the files that the parent process names, one after the other, and shows each test. After each file it sends the tally to the parent,
// which names the next file and prints the summary, so the summary of this process is left out. What a file has opened is closed before the
// next file begins; all files share one database server.
const reporter = new spec()
reporter.pipe(process.stdout)

process.send!({ passed: 0, skipped: 0, failed: [] } satisfies TestTally)
for (;;) {
  const [path] = (await once(process, 'message')) as [string]
  if (path === '') break
  const begunAt = performance.now()
  const tally = await runFile(path)
  await closeTestDatabases()
  tally.seconds = (performance.now() - begunAt) / 1_000
  process.send!(tally)
}
await closeTestServer()
reporter.end()
process.disconnect()

async function runFile(path: string): Promise<TestTally> {
  const tally: TestTally = { passed: 0, skipped: 0, failed: [], path }
  for await (const event of run({ files: [path], isolation: 'none' })) {
    if (event.type === 'test:pass' && event.data.details.type !== 'suite') {
      if (event.data.skip === undefined) tally.passed++
      else tally.skipped++
    }
    if (event.type === 'test:fail' && !failedByNestedTest(event.data.details)) {
      tally.failed.push(`${event.data.file ?? path}:${event.data.line ?? 0} ${event.data.name}`)
      process.exitCode = 1
    }
    const isSummary = event.type === 'test:diagnostic' && event.data.nesting === 0
    if (!isSummary) reporter.write(event)
  }
  return tally
}

/** Whether it failed only because a nested test failed, which is listed itself. */
function failedByNestedTest({ type, error }: { type?: string | undefined; error: Error }): boolean {
  return type === 'suite' || (error as { failureType?: string }).failureType === 'subtestsFailed'
}
