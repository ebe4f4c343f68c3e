import assert from 'node:assert/strict'
import { test } from 'node:test'
import { behindSearchOf, reportSearchOf } from '../web/src/console/reports/report-search.ts'
import {
  bySpecificity,
  fillPattern,
  formatSearch,
  matchParams,
  parseSearch,
  pathBelowBase
} from '../web/src/router/urls.ts'

test('an address of the console says what was written into it: numbers as numbers, all else as text', () => {
  const search = {
    q: 'no power, no light',
    dept: 4,
    tag: '007',
    sort: '-updated',
    big: '12345678901234567890',
    none: undefined
  }
  const text = formatSearch(search)
  assert.equal(text.at(0), '?')
  const { none: _, ...said } = search
  assert.deepEqual(parseSearch(text), said)
  assert.equal(formatSearch({}), '')
})

test('a pattern is filled with what names somebody, and read again, whatever is in it', () => {
  for (const ticket of ['TIC-000001', 'a/b', 'ä ö?#%', '..'])
    assert.deepEqual(matchParams('/$view/$ticket', fillPattern('/$view/$ticket', { view: 'all', ticket })), {
      view: 'all',
      ticket
    })
  assert.equal(fillPattern('/staff'), '/staff')
})

test('fixed parts come before those that may be anything, and other lengths are other pages', () => {
  const patterns = ['/$view/$ticket', '/$view', '/search/$ticket', '/search', '/'].sort(bySpecificity)
  const pageOf = (address: string) => patterns.find(pattern => matchParams(pattern, pathBelowBase('/desk', address)))
  assert.equal(pageOf('/desk'), '/')
  assert.equal(pageOf('/desk/'), '/')
  assert.equal(pageOf('/desk/search'), '/search')
  assert.equal(pageOf('/desk/Search/TIC-1'), '/search/$ticket')
  assert.equal(pageOf('/desk/all/'), '/$view')
  assert.equal(pageOf('/desk/all/TIC-1'), '/$view/$ticket')
  assert.equal(pageOf('/desk/all/TIC-1/more'), undefined)
  assert.equal(pageOf('/desk/all/%E0%A4%A'), '/$view/$ticket')
})

test('a day in an address that no calendar has is left out of a report and of the tickets behind it', () => {
  for (const day of ['2026-99-99', '2026-02-31', 'today', 20261128]) {
    const { from, to } = reportSearchOf({ from: day, to: day })
    const behind = behindSearchOf({ from: day, to: day })

    assert.deepEqual([from, to, behind.from, behind.to], [undefined, undefined, '', ''], String(day))
  }
  assert.equal(reportSearchOf({ from: '2024-02-29', to: '2024-03-01' }).from, '2024-02-29')
})
