import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../src/endpoints.ts'
import { turnTwoFactorOn } from './support/authenticator.ts'
import { furtherEndpoints } from './support/contract-summary.ts'
import { bootDesk } from './support/desk.ts'
import { aClient, anAdmin, aSupporter } from './support/people.ts'
import { aTicket } from './support/tickets.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)

async function done(path: string, body: object) {
  const reply = await desk.post(path, admin, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

async function versionOf(table: 'clients' | 'staff' | 'departments' | 'tags', id: number): Promise<number> {
  const row = await desk.db.selectFrom(table).where('id', '=', id).select('version').executeTakeFirstOrThrow()
  return row.version
}

test('everything beyond the contract that changes what is there already takes the version that the caller expects', () => {
  const changing =
    /\/(update|delete|merge|unmerge|members|reset_2fa|status|reply|note|assign|tags|watch|restore|purge|send_reset|bulk)$/
  const addresses = new Set(furtherEndpoints.map(({ path }) => path).filter(path => changing.test(path)))

  const lacking = endpoints
    .filter(
      ({ path, body }) =>
        addresses.has(path) && !Object.keys(body?.properties ?? {}).some(name => /^expected_versions?$/.test(name))
    )
    .map(({ path }) => path)

  assert.ok(addresses.size > 20)
  assert.deepEqual(lacking, [
    // A passkey is there or not, and nobody but its owner takes it away.
    '/api/account/passkeys/delete',
    // A provider that is taken away is gone, whatever it said last.
    '/api/admin/sso/delete',
    // Who writes to a third party adds to the conversation, whatever has come meanwhile.
    '/api/admin/tickets/conversations/reply',
    // Whether the ticket waits for it is switched, and twice does no harm.
    '/api/admin/tickets/conversations/update',
    // One's own signature is whatever one has saved last.
    '/api/account/signature/update',
    // A program that is taken away is gone.
    '/api/admin/service-accounts/delete',
    // There is one logo or none, and to take it away twice does no harm.
    '/api/admin/settings/logo/delete',
    // A timer waits for the ticket or does not.
    '/api/admin/tickets/timers/delete',
    // A held e-mail is decided on once: whoever comes second is told what became of it.
    '/api/admin/mail/held/delete',
    '/api/admin/mail/held/restore'
  ])
})

test('of two who change a department, its members or a tag one is told the version that the other made', async () => {
  const [grace, mary] = [await aSupporter(desk), await aSupporter(desk)]
  const { deptid } = (await done('/api/admin/departments/create', { name: 'Returns' })).department
  const { id: tag } = (await done('/api/admin/tags/create', { name: 'late' })).tag
  const { id: other } = (await done('/api/admin/tags/create', { name: 'other' })).tag
  const cases: [first: [string, object], second: [string, object]][] = [
    [
      ['/api/admin/departments/update', { id: deptid, name: 'Repairs' }],
      ['/api/admin/departments/update', { id: deptid, description: 'Mends' }]
    ],
    [
      ['/api/admin/departments/members', { id: deptid, staff_ids: [grace.id] }],
      ['/api/admin/departments/members', { id: deptid, staff_ids: [mary.id] }]
    ],
    [
      ['/api/admin/departments/update', { id: deptid, is_active: 0 }],
      ['/api/admin/departments/delete', { id: deptid, move_to_department_id: 1 }]
    ],
    [
      ['/api/admin/tags/update', { id: tag, color: '#101010' }],
      ['/api/admin/tags/update', { id: tag, name: 'later' }]
    ],
    [
      ['/api/admin/tags/update', { id: tag, name: 'latest' }],
      ['/api/admin/tags/merge', { id: tag, into_id: other }]
    ],
    [
      ['/api/admin/tags/update', { id: tag, name: 'last' }],
      ['/api/admin/tags/delete', { id: tag }]
    ]
  ]

  for (const [[firstPath, first], [secondPath, second]] of cases) {
    const [table, id] = firstPath.includes('tags') ? (['tags', tag] as const) : (['departments', deptid] as const)
    const expected_version = await versionOf(table, id)

    const changed = await desk.post(firstPath, admin, { ...first, expected_version })
    const refused = await desk.post(secondPath, admin, { ...second, expected_version })

    assert.deepEqual([changed.status, refused.status], [200, 409], `${firstPath}, ${secondPath}`)
    const current = expected_version + 1
    assert.deepEqual(refused.data, { current_version: current })
    assert.equal(refused.headers.get('x-current-version'), `${current}`)
    const { version } = changed.data.tag ?? changed.data.department ?? changed.data
    assert.equal(version, current)
  }
})

test('members who come along when a department is deleted are a new version of where they go', async () => {
  const { deptid } = (await done('/api/admin/departments/create', { name: 'Passing' })).department
  await done('/api/admin/departments/members', { id: deptid, staff_ids: [(await aSupporter(desk)).id] })
  const before = await versionOf('departments', 4)

  await done('/api/admin/departments/delete', { id: deptid, move_to_department_id: 4 })

  assert.equal(await versionOf('departments', 4), before + 1)
})

test('a version does not rise when only counters change, or what is nobody’s to edit', async () => {
  const [ada, grace] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all', 'tickets.reply')]
  const { id: tag } = (await done('/api/admin/tags/create', { name: 'counted' })).tag
  const versions = async () => [
    await versionOf('clients', ada.id),
    await versionOf('staff', grace.id),
    await versionOf('departments', 1),
    await versionOf('tags', tag)
  ]
  const before = await versions()

  const { ticket_id: id } = await aTicket(desk, ada)
  await desk.post('/api/admin/tickets/tags', grace, { id, add: [tag] })
  await desk.post('/api/admin/tickets/reply', grace, { id, message: 'Hello' })
  await done('/api/admin/tickets/delete', { id })
  await desk.post('/api/auth/login', undefined, { email: ada.email, password: ada.password })
  await desk.post('/api/account/password', ada, { current_password: ada.password, new_password: 'horse battery' })
  await desk.post('/api/auth/2fa/setup', grace)
  await desk.post('/api/account/notifications', grace, { mention_emails: 0 })
  await done('/api/admin/staff/permissions', { id: grace.id, permissions: ['tickets.reply'] })

  assert.deepEqual(await versions(), before)
})

test('a version rises with what others change of it: the own profile, the second factor, a deactivation', async () => {
  const [ada, grace] = [await aClient(desk), await aSupporter(desk)]
  const profile = async () => (await desk.post('/api/account/profile', ada)).data.profile.version

  assert.equal(await profile(), 1)
  await desk.post('/api/account/profile/update', ada, { city: 'Paris' })
  assert.equal(await profile(), 2)
  await turnTwoFactorOn(desk, ada)
  assert.equal(await profile(), 3)
  const shown = await done('/api/admin/clients/update', { id: ada.id, expected_version: 3, company_name: 'Engines' })
  assert.equal(shown.client.version, 4)
  await done('/api/admin/staff/update', { id: grace.id, first_name: 'Grayce' })
  assert.equal((await desk.post('/api/account/profile', grace)).data.profile.version, 2)
})
