import type { FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter'

/** Tells whoever started the run how it went, so that `npm test` counts the tests of the pages with its own. */
export default class TallyReporter implements Reporter {
  #tests: TestCase[] = []

  onBegin(_config: unknown, suite: Suite): void {
    this.#tests = suite.allTests()
  }

  async onEnd({ status }: FullResult): Promise<void> {
    const count = (outcome: ReturnType<TestCase['outcome']>) =>
      this.#tests.filter(test => test.outcome() === outcome).length
    const failed = this.#tests
      .filter(test => test.outcome() === 'unexpected')
      .map(({ location, title }) => `${location.file}:${location.line} ${title}`)
    const brokeOff = status !== 'passed' && failed.length === 0 ? ['web/tests: the run broke off'] : []
    const tally = {
      passed: count('expected') + count('flaky'),
      skipped: count('skipped'),
      failed: [...failed, ...brokeOff]
    }
    process.send?.(tally)
  }

  printsToStdio(): boolean {
    return false
  }
}
