import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../src/endpoints.ts'
import { verifyAudit } from '../src/history/verify-audit.ts'
import { codeAt, turnTwoFactorOn } from './support/authenticator.ts'
import { bootDesk } from './support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from './support/people.ts'
import { aTicket } from './support/tickets.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
let serial = 0

/** What belongs to people or to nobody's eyes: wherever a request has it, the log must not. */
const secret = 'canary'
const address = () => `${secret}.${++serial}@example.com`

/** Endpoints that write nothing. */
const reads = [
  '/api/check',
  '/api/auth/verify-reset-token',
  '/api/departments',
  '/api/tickets/list',
  '/api/tickets/detail',
  '/api/tickets/attachment-link',
  '/api/tickets/search',
  '/api/user/checkUserByEmail',
  '/api/admin/permissions',
  '/api/admin/staff/list',
  '/api/admin/staff/detail',
  '/api/admin/clients/list',
  '/api/admin/clients/detail',
  '/api/admin/tickets/list',
  '/api/admin/tickets/detail',
  '/api/admin/tickets/counts',
  '/api/account/profile',
  '/api/account/sessions',
  '/api/admin/settings/detail',
  '/api/admin/departments/list',
  '/api/admin/departments/detail',
  '/api/admin/tags/list',
  '/api/admin/canned-replies/list',
  '/api/admin/canned-replies/render',
  '/api/admin/audit/list',
  '/api/admin/search'
]

/** Endpoints that write, but nothing of staff's doing that the log would have to tell. */
const others: Record<string, string> = {
  '/api/auth/signup': 'clients alone',
  '/api/auth/login': 'clients alone',
  '/api/auth/forgot-password': 'clients alone',
  '/api/auth/reset-password': 'clients alone',
  '/api/auth/send-email-verification': 'clients alone',
  '/api/auth/verify-email': 'clients alone',
  '/api/auth/send-phone-verification': 'clients alone',
  '/api/auth/verify-phone': 'clients alone',
  '/api/tickets/create': 'clients alone',
  '/api/letters/stop': 'clients alone',
  '/api/admin/auth/login': 'sessions have a table of their own, which tells from when to when, and from where',
  '/api/auth/2fa/verify-login': 'a session as well; a recovery code that opens it is told',
  '/api/auth/refresh': 'a session as well',
  '/api/auth/logout': 'a session as well',
  '/api/auth/2fa/setup': 'a secret that is in force only once it is enabled, which is told',
  '/api/admin/auth/forgot-password': 'who asks is nobody yet; that the password was replaced is told'
}

interface Write {
  body: object
  /** The admin, if nobody else. */
  by?: Person
  /** A body with which whoever may do this is refused; an old version, where the endpoint takes one. */
  refused?: object
  after?: () => Promise<unknown>
}

/** A write of each kind, which changes something. */
const writes: Record<string, () => Promise<Write>> = {
  '/api/auth/2fa/enable': async () => {
    const by = await aSupporter(desk)
    const { secret } = (await desk.post('/api/auth/2fa/setup', by)).data
    return {
      by,
      body: { secret, code: codeAt(secret, desk.clock.now()) },
      refused: { secret: 'OTHER', code: '000000' }
    }
  },
  '/api/auth/2fa/disable': async () => {
    const by = await aSupporter(desk)
    await turnTwoFactorOn(desk, by)
    return { by, body: { password: by.password }, refused: { password: secret } }
  },
  '/api/tickets/reply': async () => ({
    body: { id: await ticket(), message: secret },
    refused: { id: 999_999, message: secret }
  }),
  '/api/tickets/status': async () => ({
    body: { id: await ticket(), status: 'Answered' },
    refused: { id: 999_999, status: 'Open' }
  }),
  '/api/admin/staff/create': async () => ({
    body: { ...person(), password: `${secret} password`, phone_number: secret, permissions: ['clients.view'] },
    refused: { ...person(), email: admin.email, password: `${secret} password` }
  }),
  '/api/admin/staff/update': async () => ({
    body: {
      id: await supporter(),
      first_name: secret,
      phone_number: secret,
      password: `${secret} password`,
      is_active: 0
    },
    refused: { id: admin.id, is_active: 0 }
  }),
  '/api/admin/staff/permissions': async () => ({
    body: { id: await supporter(), permissions: ['clients.view'] },
    refused: { id: admin.id, permissions: ['clients.view'] }
  }),
  '/api/admin/staff/delete': async () => ({ body: { id: await supporter() }, refused: { id: admin.id } }),
  '/api/admin/tickets/create': async () => {
    const body = { client_id: (await aClient(desk)).id, department_id: 1, subject: secret, message: secret }
    return { body, refused: { ...body, department_id: 999_999 } }
  },
  '/api/admin/tickets/reply': async () => ({ body: { id: await ticket(), message: secret } }),
  '/api/admin/tickets/note': async () => ({ body: { id: await ticket(), note: secret } }),
  '/api/admin/tickets/status': async () => ({ body: { id: await ticket(), status: 'Closed' } }),
  '/api/admin/tickets/update': async () => ({
    body: { id: await ticket(), priority: 'Critical', subject: `${secret} anew` }
  }),
  '/api/admin/tickets/assign': async () => ({ body: { id: await ticket(), assigned_staff_id: admin.id } }),
  '/api/admin/tickets/tags': async () => ({ body: { id: await ticket(), tags: [await tag()] } }),
  '/api/admin/tickets/merge': async () => {
    const client = await aClient(desk)
    return { body: { id: await ticket(client), into_id: await ticket(client) } }
  },
  '/api/admin/tickets/unmerge': async () => {
    const client = await aClient(desk)
    const [id, into_id] = [await ticket(client), await ticket(client)]
    await done('/api/admin/tickets/merge', { id, into_id })
    return { body: { id } }
  },
  '/api/admin/tickets/bulk': async () => ({
    body: { ids: [await ticket(), await ticket()], action: 'priority', priority: 'Low' },
    refused: { ids: [999_999], action: 'priority' }
  }),
  '/api/admin/tickets/watch': async () => ({ body: { id: await ticket() } }),
  '/api/admin/tickets/delete': async () => ({ body: { id: await ticket() } }),
  '/api/admin/tickets/restore': async () => {
    const id = await ticket()
    await done('/api/admin/tickets/delete', { id })
    return { body: { id } }
  },
  '/api/admin/tickets/purge': async () => {
    const { ticket_id: id, ticket_number } = await aTicket(desk, await aClient(desk))
    await done('/api/admin/tickets/delete', { id })
    return { body: { id, ticket_number } }
  },
  '/api/admin/clients/create': async () => ({
    body: person(),
    refused: { ...person(), email: (await aClient(desk)).email }
  }),
  '/api/admin/clients/update': async () => ({
    body: { id: await client(), first_name: secret, email: address(), phone_number: secret, city: secret }
  }),
  '/api/admin/clients/send_reset': async () => ({ body: { id: await client() }, refused: { id: 999_999 } }),
  '/api/admin/clients/reset_2fa': async () => {
    const ada = await aClient(desk)
    await turnTwoFactorOn(desk, ada)
    return { body: { id: ada.id, reason: 'Lost the phone' } }
  },
  '/api/admin/clients/delete': async () => {
    const { id, email } = await aClient(desk, { email: address() })
    return { body: { id, mode: 'anonymize', confirm_email: email } }
  },
  '/api/admin/clients/export': async () => ({ body: { id: await client() }, refused: { id: 999_999 } }),
  '/api/account/profile/update': async () => ({ by: await aSupporter(desk), body: { phone_number: secret } }),
  '/api/account/password': async () => {
    const by = await aSupporter(desk)
    const new_password = `${secret} password`
    return {
      by,
      body: { current_password: by.password, new_password },
      refused: { current_password: secret, new_password }
    }
  },
  '/api/account/sessions/revoke': async () => {
    const by = await aSupporter(desk)
    const another = await desk.post('/api/admin/auth/login', undefined, { email: by.email, password: by.password })
    assert.equal(another.status, 200)
    return { by, body: { others: 1 }, refused: { id: 999_999 } }
  },
  '/api/account/2fa/recovery-codes': async () => {
    const by = await aSupporter(desk)
    await turnTwoFactorOn(desk, by)
    return { by, body: { password: by.password }, refused: { password: secret } }
  },
  '/api/admin/auth/reset-password': async () => {
    const by = await aSupporter(desk)
    await desk.post('/api/admin/auth/forgot-password', undefined, { email: by.email })
    const { letters } = await desk.deliver()
    const token = letters.findLast(letter => letter.to === by.email)!.text.match(/token=([\w.-]+)/)![1]!
    const new_password = `${secret} password`
    return { by, body: { token, new_password }, refused: { token: 'nonsense', new_password } }
  },
  '/api/admin/settings/update': async () => ({
    body: { require_staff_2fa: 1 },
    after: () => desk.db.deleteFrom('desk_settings').execute()
  }),
  '/api/admin/departments/create': async () => ({ body: { name: 'Returns' }, refused: { name: 'Returns', deptid: 1 } }),
  '/api/admin/departments/update': async () => ({ body: { id: await department(), name: 'Repairs' } }),
  '/api/admin/departments/delete': async () => ({ body: { id: await department() } }),
  '/api/admin/departments/members': async () => ({ body: { id: await department(), staff_ids: [await supporter()] } }),
  '/api/admin/tags/create': async () => ({ body: { name: `tag ${++serial}` }, refused: { name: await nameOfTag() } }),
  '/api/admin/tags/update': async () => ({ body: { id: await tag(), color: '#123456' } }),
  '/api/admin/tags/merge': async () => ({ body: { id: await tag(), into_id: await tag() } }),
  '/api/admin/tags/delete': async () => ({ body: { id: await tag() } }),
  '/api/admin/canned-replies/create': async () => ({
    body: { title: 'Off and on', text: secret },
    refused: { title: 'Off and on', text: '{{nobody.knows}}' }
  }),
  '/api/admin/canned-replies/update': async () => ({ body: { id: await canned(), text: `${secret} anew` } }),
  '/api/admin/canned-replies/delete': async () => ({ body: { id: await canned() } }),
  '/api/account/notifications': async () => ({ body: { mention_letters: 0 }, refused: { ticket_letters: 0 } })
}

test('every endpoint is known to write by staff, not to write, or to write for others', () => {
  const known = [...reads, ...Object.keys(others), ...Object.keys(writes)]

  assert.deepEqual(known.toSorted(), endpoints.map(({ path }) => path).toSorted())
})

for (const { path, access, body: schema } of endpoints.filter(endpoint => endpoint.path in writes)) {
  test(`${path} leaves a row in the audit log when it has written, and none when it has refused`, async () => {
    const { by = admin, body, refused, after } = await writes[path]!()
    const isForNobody = access === 'public'
    const nobody = access === 'user' || isForNobody ? undefined : await aSupporter(desk)
    const hasVersion = schema !== undefined && 'expected_version' in schema.properties
    const outdated = hasVersion ? { ...body, expected_version: 999_999_999 } : refused
    assert.ok(outdated, 'needs something that is refused')
    const before = await log()

    const replies = [
      ...(isForNobody ? [] : [await desk.post(path, nobody, body)]),
      await desk.post(path, isForNobody ? undefined : by, outdated)
    ]
    const between = await log()
    const reply = await desk.post(path, isForNobody ? undefined : by, body)
    const rows = (await log()).slice(between.length)
    await after?.()

    for (const { status } of replies) assert.ok(status >= 400 && status < 500, `${status}`)
    if (hasVersion) assert.equal(replies.at(-1)!.status, 409)
    assert.equal(between.length, before.length)
    assert.ok(reply.status < 300, reply.body.message)
    assert.ok(rows.length > 0, 'no row')
    for (const row of rows) {
      assert.deepEqual([row.actor_type, row.actor_id, row.ip_address], ['staff', by.id, '127.0.0.1'])
      assert.ok(row.request_id)
    }
  })
}

test('the log has nothing of what people told of themselves, wrote or keep to themselves, and is whole', async () => {
  const rows = await log()

  assert.ok(rows.length > Object.keys(writes).length)
  assert.doesNotMatch(JSON.stringify(rows.map(({ before, after }) => [before, after])), new RegExp(secret))
  assert.ok((await verifyAudit(desk.services)).isIntact)
})

function log() {
  return desk.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
}

async function done(path: string, body: object) {
  const reply = await desk.post(path, admin, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

function person() {
  return { first_name: secret, last_name: secret, email: address() }
}

async function client(): Promise<number> {
  return (await aClient(desk)).id
}

async function supporter(): Promise<number> {
  return (await aSupporter(desk)).id
}

async function ticket(of?: Person): Promise<number> {
  return (await aTicket(desk, of ?? (await aClient(desk)), { subject: secret, message: secret })).ticket_id
}

async function department(): Promise<number> {
  return (await done('/api/admin/departments/create', { name: `Returns ${++serial}` })).department.deptid
}

async function tag(): Promise<number> {
  return (await done('/api/admin/tags/create', { name: `tag ${++serial}` })).tag.id
}

async function nameOfTag(): Promise<string> {
  return (await done('/api/admin/tags/create', { name: `tag ${++serial}` })).tag.name
}

async function canned(): Promise<number> {
  return (await done('/api/admin/canned-replies/create', { title: 'Off and on', text: secret })).canned_reply.id
}
