import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const suggest = async (body: object) => await desk.post('/api/admin/calendars/suggest-days', admin, body)

test('the public holidays of a region in a year are days for a calendar, in the language that is asked for', async () => {
  const english = await suggest({ country: 'DE', region: 'BE', year: 2028 })
  const german = await suggest({ country: 'DE', region: 'BE', year: 2028, language: 'de' })

  const { days } = english.data
  assert.deepEqual(days[0], { date: '2028-01-01', name: "New Year's Day", hours: [] })
  // Of Berlin alone, and in this year alone.
  assert.ok(days.some(({ date }: { date: string }) => date === '2028-06-17'))
  assert.ok(!days.some(({ date }: { date: string }) => date === '2028-06-15'))
  const goodFriday = ({ date }: { date: string }) => date === '2028-04-14'
  assert.deepEqual([days.find(goodFriday).name, german.data.days.find(goodFriday).name], ['Good Friday', 'Karfreitag'])
  const weeks = [{ valid_from: null, hours: { mon: [['09:00', '17:00']] } }]
  const created = await desk.post('/api/admin/calendars/create', admin, { name: 'A', time_zone: 'UTC', weeks, days })
  assert.equal(created.status, 201)
})

test('without a country it tells the countries, without a year the regions', async () => {
  const countries = await suggest({})
  const regions = await suggest({ country: 'DE' })

  assert.ok(countries.data.countries.length > 150)
  assert.deepEqual(
    regions.data.regions.find(({ code }: { code: string }) => code === 'BY'),
    { code: 'BY', name: 'Bayern' }
  )
  assert.deepEqual(regions.data.days, [])
})

test('a country or region that is not known is refused', async () => {
  const bad: [object, string][] = [
    [{ country: 'ZZ', year: 2028 }, 'country'],
    [{ country: 'constructor', year: 2028 }, 'country'],
    [{ country: 'DE', region: 'ZZ', year: 2028 }, 'region'],
    [{ year: 2028 }, 'country'],
    [{ country: 'DE', year: 12 }, 'year']
  ]

  for (const [body, error] of bad) {
    const reply = await suggest(body)
    assert.deepEqual([reply.status, reply.body.errors], [400, [error]], JSON.stringify(body))
  }
})
