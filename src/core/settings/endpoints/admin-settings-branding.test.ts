import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin } from '../../../../test/support/people.ts'

const path = '/api/admin/settings/update'
const desk = await bootDesk()
const admin = await anAdmin(desk)
const how = {
  ...{ sign_up: 1, tickets_without_account: 0, languages: ['en', 'de'] },
  ...{ max_files: 10, max_file_bytes: 26_214_400 }
}
const unset = { name: null, logo_url: null, phone: null, privacy_url: null, accent: null, ...how }

test('a desk says how it presents itself, to anybody; null takes it back', async () => {
  const before = await desk.post('/api/desk')
  const branding = {
    name: 'Ada’s Support',
    phone: '+31 20 555 0100',
    privacy_url: 'https://example.com/p?x=1#top',
    accent: '#1D4ED8'
  }
  const changed = await desk.post(path, admin, branding)
  const shown = await desk.post('/api/desk')
  const emptied = await desk.post(path, admin, { name: null, phone: null, privacy_url: null, accent: null })
  const after = await desk.post('/api/desk')

  assert.deepEqual(before.data, unset)
  const { name, phone, privacy_url, accent } = changed.data.settings
  assert.deepEqual({ name, phone, privacy_url, accent }, { ...branding, accent: '#1d4ed8' })
  assert.deepEqual(shown.data, { ...branding, logo_url: null, accent: '#1d4ed8', ...how })
  assert.deepEqual([emptied.status, after.data], [200, unset])
})

test('a change is in the audit log with what was before', async () => {
  await desk.post(path, admin, { name: 'One' })
  await desk.post(path, admin, { name: 'Two', accent: null })

  const [last] = (await desk.post('/api/admin/audit', admin, { action: 'setting.' })).data.entries
  assert.deepEqual([last.action, last.before, last.after], ['setting.changed', { name: 'One' }, { name: 'Two' }])
})

test('an accent that is not seen on white is refused, and told the rule and what it has', async () => {
  const rows = await desk.rowCounts()

  for (const [accent, found] of [
    ['#ffffff', '1.00'],
    ['#FFEE00', '1.20'],
    ['#959595', '2.99']
  ]) {
    const refused = await desk.post(path, admin, { accent, name: 'Never' })
    assert.deepEqual([refused.status, refused.body.errors], [400, ['accent']])
    assert.match(refused.body.message, /3:1 on white, and 4\.5:1 to white or black text/)
    assert.ok(refused.body.message.includes(`${accent!.toLowerCase()} has ${found}:1`), refused.body.message)
  }
  assert.deepEqual(await desk.rowCounts(), rows)
  assert.notEqual((await desk.post('/api/desk')).data.name, 'Never')

  for (const accent of ['#949494', '#000000', '#c0392b']) {
    assert.equal((await desk.post(path, admin, { accent })).status, 200, accent)
  }
})

test('what is no colour, no web address, too long or on two lines is refused by name, and changes nothing', async () => {
  const before = await desk.post('/api/desk')
  const refused: [string, unknown][] = [
    ['accent', 'red'],
    ['accent', '#12345'],
    ['accent', '#12345g'],
    ['accent', 7],
    ['privacy_url', 'javascript:alert(1)'],
    ['privacy_url', 'ftp://example.com/'],
    ['privacy_url', '/privacy'],
    ['privacy_url', 'https://'],
    ['privacy_url', 'https://a b.example/'],
    ['privacy_url', 'https://example.com/"onclick="x'],
    ['privacy_url', 'https://ada:secret@example.com/'],
    ['privacy_url', `https://example.com/${'x'.repeat(2000)}`],
    ['name', 'two\nlines'],
    ['name', 'x'.repeat(101)],
    ['phone', '5'.repeat(51)]
  ]

  for (const [field, value] of refused) {
    const reply = await desk.post(path, admin, { [field]: value, require_staff_2fa: 1 })
    assert.deepEqual([reply.status, reply.body.errors], [400, [field]], `${field} ${value}`)
  }
  assert.deepEqual((await desk.post('/api/desk')).data, before.data)
})
