import { defineConfig, devices } from '@playwright/test'
import { chromiumArguments, executablePath } from '../test/support/chromium.ts'

/** The pages in a real browser, on a real server with a database of its own for each worker. See README.md. */
export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // Told as flaky, which fails nothing.
  retries: process.env.CI ? 2 : 0,
  // Nothing waits so long but on a machine that is much slower: a test that fails by chance costs more than it saves.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['./tests/support/tally-reporter.ts']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 30_000,
    trace: process.env.TRACE ? 'on' : 'off',
    launchOptions: { executablePath, args: chromiumArguments }
  },
  projects: [
    { name: 'journeys', testMatch: '*.spec.ts', testIgnore: 'checks/**' },
    { name: 'checks', testMatch: 'checks/*.spec.ts' }
  ]
})
