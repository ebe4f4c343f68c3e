import { execFileSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { executablePath } from './chromium.ts'
import { root } from './program.ts'
import type { TestTally } from './test-worker.ts'

/** The tests of the pages in a browser: the journeys, and in `checks` those that take long. */
export function browserTests(): string[] {
  return globSync('web/tests/{,checks/}*.spec.ts', { cwd: root })
}

/** How to run these tests; a tally where they cannot be run here. */
export function browserTestCommand(paths: string[]): { words: string[] } | { tally: TestTally } {
  if (!executablePath) {
    process.stdout.write(
      'The pages are not tested: there is no Chromium here, nor does the one of npm run on this system.\n'
    )
    return { tally: { passed: 0, skipped: paths.length, failed: [] } }
  }
  buildWhereStale()
  const files = paths.map(path => `${join(root, path)}$`)
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  return { words: [cli, 'test', '--config', join(root, 'web'), ...files] }
}

/** Tests look at the pages as they are written, not as they were when somebody last built them. */
function buildWhereStale(): void {
  const sources = globSync(['web/{src,public}/**/*', 'web/*.{html,ts,json}', 'client/src/*'], {
    cwd: root
  })
  const isStale = newest(sources) > newest(globSync('web/dist/portal.html', { cwd: root }))
  if (isStale) execFileSync('npm', ['run', 'build', '--silent'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

function newest(paths: string[]): number {
  return Math.max(0, ...paths.map(path => statSync(join(root, path)).mtimeMs))
}
