import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** How a lane ended: what its parent needs in order to speak for all lanes at once. */
export interface LaneTally {
  passed: number
  skipped: number
  /** Each test that failed, as `file: name`. */
  failed: string[]
}

// Runs the files that it is given one after the other in this process, and shows each test. The tally goes to the parent, which sums up:
// so the summary of the lane itself is left out.
const tally: LaneTally = { passed: 0, skipped: 0, failed: [] }
const reporter = new spec()
reporter.pipe(process.stdout)

for await (const event of run({ files: process.argv.slice(2), isolation: 'none' })) {
  if (event.type === 'test:pass' && event.data.details.type !== 'suite') {
    if (event.data.skip === undefined) tally.passed++
    else tally.skipped++
  }
  if (event.type === 'test:fail' && !isOfOthers(event.data.details)) {
    tally.failed.push(`${event.data.file ?? 'unknown'}:${event.data.line ?? 0} ${event.data.name}`)
    process.exitCode = 1
  }
  const isSummary = event.type === 'test:diagnostic' && event.data.nesting === 0
  if (!isSummary) reporter.write(event)
}

reporter.end()
process.send!(tally)

/** Whether it failed only because a test within it did, which is named by itself. */
function isOfOthers({ type, error }: { type?: string | undefined; error: Error }): boolean {
  return type === 'suite' || (error as { failureType?: string }).failureType === 'subtestsFailed'
}
