import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withMeasurements } from '../bench/performance-page.ts'
import { root } from './support/program.ts'

const baseline = join(root, 'bench/baseline.json')

test('the figures that are told are those of the committed run', {
  skip: !existsSync(baseline) && 'no run has been committed yet'
}, () => {
  const page = readFileSync(join(root, 'docs/performance.md'), 'utf8')

  assert.equal(page, withMeasurements(page, JSON.parse(readFileSync(baseline, 'utf8'))))
})
