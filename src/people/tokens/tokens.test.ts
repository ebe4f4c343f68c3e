import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { anApiToken } from '../../../test/support/api-tokens.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { aTicket } from '../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 5 })
const aToken = (owner: Person, given: object = {}) => anApiToken(desk, owner, given)

async function tokensOf(owner: Person) {
  return (await desk.post('/api/account/tokens/list', owner)).data.api_tokens
}

const profile = '/api/account/profile'

test('a token acts as its owner, client or staff, wherever an access token does', async () => {
  for (const owner of [await aClient(desk), await aSupporter(desk), await anAdmin(desk)]) {
    const { token } = await aToken(owner)

    const reply = await desk.post(profile, { token })

    assert.match(token, /^dl_[0-9A-Za-z]{36}$/)
    assert.deepEqual([reply.status, reply.data.profile.id], [200, owner.id])
  }
})

test('its secret is shown once: only a digest is stored, and no list has it', async () => {
  const owner = await aSupporter(desk)
  const { token, api_token } = await aToken(owner, { name: 'Nightly export' })

  const [listed, ...others] = await tokensOf(owner)
  assert.deepEqual([listed.id, listed.name, others.length], [api_token.id, 'Nightly export', 0])
  assert.equal(listed.last_four, token.slice(-4))
  const { rows } = await sql<{ row: string }>`select api_tokens::text as row from api_tokens`.execute(desk.db)
  assert.ok(rows.every(({ row }) => !row.includes(token.slice(3, -4))))
  assert.ok(!JSON.stringify((await desk.post('/api/admin/tokens/list', await anAdmin(desk))).body).includes(token))
})

test('a token may what was chosen of the owner’s rights, and loses a right with the owner', async () => {
  const owner = await aSupporter(desk, 'clients.view', 'tickets.view_all')
  const { token } = await aToken(owner, { permissions: ['clients.view'] })
  const everything = await aToken(owner)
  const may = async (path: string, token: string) => (await desk.post(path, { token })).status

  assert.deepEqual(
    [await may('/api/admin/clients/list', token), await may('/api/admin/tickets/list', everything.token)],
    [200, 200]
  )
  const refused = await desk.post('/api/admin/staff/list', { token })
  assert.deepEqual([refused.status, refused.body.reason], [403, 'forbidden'])
  assert.match(refused.body.message, /lacks a right: it takes staff\.view or staff\.manage/)

  const body = { id: owner.id, permissions: ['tickets.view_all'] }
  await desk.post('/api/admin/staff/permissions', await anAdmin(desk), body)
  assert.deepEqual(
    [await may('/api/admin/clients/list', token), await may('/api/admin/clients/list', everything.token)],
    [403, 403]
  )
})

test('an admin’s token with chosen rights is no admin; one without a choice is', async () => {
  const admin = await anAdmin(desk)
  const { token } = await aToken(admin, { permissions: ['clients.view'] })
  const all = await aToken(admin)

  assert.equal((await desk.post('/api/admin/clients/list', { token })).status, 200)
  const refused = await desk.post('/api/admin/webhooks/list', { token })
  assert.deepEqual([refused.status, refused.body.reason], [403, 'forbidden'])
  assert.equal((await desk.post('/api/admin/webhooks/list', all)).status, 200)
})

test('what the owner may not, or what is over, is refused when a token is made, and nothing is written', async () => {
  const [owner, client] = [await aSupporter(desk, 'clients.view'), await aClient(desk)]
  const before = await desk.rowCounts()

  for (const [person, given, field] of [
    [owner, { permissions: ['clients.view', 'staff.view'] }, 'permissions'],
    [owner, { departments: [4711] }, 'departments'],
    [owner, { departments: [] }, 'departments'],
    [owner, { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [owner, { expires_at: '2999-01-01T00:00:00Z' }, 'expires_at'],
    [client, { permissions: ['clients.view'] }, 'permissions'],
    [client, { departments: [1] }, 'departments']
  ] as const) {
    const { status, body } = await desk.post('/api/account/tokens/create', person, { name: 'x', ...given })

    assert.deepEqual([status, body.errors], [400, [field]], JSON.stringify(given))
  }
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a token of some departments sees their tickets alone, and none where its owner is limited to others', async () => {
  const client = await aClient(desk)
  const inOne = await aTicket(desk, client, { department_id: 1 })
  await aTicket(desk, client, { department_id: 4 })
  const owner = await aSupporter(desk, 'tickets.view_all')
  const { token } = await aToken(owner, { departments: [1] })
  const seen = async () =>
    (await desk.post('/api/admin/tickets/list', { token })).data.tickets.map(({ id }: { id: number }) => id)

  assert.deepEqual(await seen(), [inOne.ticket_id])

  const body = { deptid: 4, staff_ids: [owner.id] }
  assert.equal((await desk.post('/api/admin/departments/members', await anAdmin(desk), body)).status, 200)
  assert.deepEqual(await seen(), [])
})

test('a token that only reads is refused by everything that writes', async () => {
  const client = await aClient(desk)
  const { ticket_id } = await aTicket(desk, client)
  const { token } = await aToken(client, { read_only: 1 })

  assert.equal((await desk.post('/api/tickets/detail', { token }, { id: ticket_id })).status, 200)
  const before = await desk.rowCounts()
  const reply = await desk.post('/api/tickets/reply', { token }, { id: ticket_id, message: 'Hello' })
  assert.deepEqual([reply.status, reply.body.reason], [403, 'read_only_token'])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a token manages no tokens, passwords, factors, sessions or rights: a 403 says why', async () => {
  const admin = await anAdmin(desk)
  const { token } = await aToken(admin)
  const before = await desk.rowCounts()

  for (const path of [
    '/api/account/tokens/list',
    '/api/account/tokens/create',
    '/api/account/tokens/rename',
    '/api/account/tokens/revoke',
    '/api/admin/tokens/list',
    '/api/admin/tokens/revoke',
    '/api/account/password',
    '/api/account/profile/update',
    '/api/account/sessions',
    '/api/account/sessions/revoke',
    '/api/account/2fa/recovery-codes',
    '/api/auth/2fa/setup',
    '/api/auth/2fa/enable',
    '/api/auth/2fa/disable',
    '/api/auth/logout',
    '/api/admin/staff/create',
    '/api/admin/staff/update',
    '/api/admin/staff/permissions',
    '/api/admin/staff/delete',
    '/api/admin/clients/reset_2fa'
  ]) {
    const { status, body } = await desk.post(path, { token })

    assert.deepEqual([status, body.reason], [403, 'sign_in_required'], path)
  }
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal((await desk.post(profile, { token })).status, 200)
})

test('a token opens no page: it is no refresh token and gives no cookie', async () => {
  const { token } = await aToken(await aClient(desk))

  const reply = await desk.post('/api/auth/refresh', undefined, { refresh_token: token })

  assert.equal(reply.status, 401)
})

test('what a token does stands in the log as its owner’s, with its name', async () => {
  const client = await aClient(desk)
  const { ticket_id } = await aTicket(desk, client)
  const owner = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  const { token } = await aToken(owner, { name: 'Closing robot' })

  await desk.post('/api/tickets/status', { token }, { id: ticket_id, status: 'Closed' })

  const db = await sequencedDatabase(desk)
  const events = db.selectFrom('events').where('ticket_id', '=', ticket_id).where('kind', '=', 'ticket.status_changed')
  const { actor_type, actor_id, actor_name } = await events.selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([actor_type, actor_id, actor_name], ['staff', owner.id, 'Grace Hopper, by Closing robot'])
  const audited = db.selectFrom('audit_log').where('target_type', '=', 'staff').where('target_id', '=', owner.id)
  const { action, after } = await audited.select(['action', 'after']).executeTakeFirstOrThrow()
  assert.equal(action, 'api_token.created')
  assert.ok(!JSON.stringify(after).includes(token))
})

test('e-mails name the token in parentheses, in every language', async () => {
  const { ticket_id: id } = await aTicket(desk, await aClient(desk))
  const owner = await anAdmin(desk)
  const reader = await aSupporter(desk, 'tickets.view_all')
  const { token } = await aToken(owner, { name: 'Assigning robot' })

  const assigned = await desk.post('/api/admin/tickets/assign', { token }, { id, assigned_staff_id: reader.id })
  desk.clock.turn(120)
  await desk.deliver()

  assert.equal(assigned.status, 200, assigned.body.message)
  const mail = desk.outbox.emails.findLast(({ to }) => to === reader.email)
  assert.match(mail?.text ?? '', / \(Assigning robot\)/)
})

test('the time line, the audit log and the feed name the token apart from its owner, whatever either is called', async () => {
  const { ticket_id: id } = await aTicket(desk, await aClient(desk))
  const owner = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  const { token } = await aToken(owner, { name: 'Closing robot, by Ada' })
  await desk.db.updateTable('staff').set({ last_name: 'Hopper, by Robot' }).where('id', '=', owner.id).execute()

  await desk.post('/api/tickets/status', { token }, { id, status: 'In Progress' })
  await desk.post('/api/tickets/status', owner, { id, status: 'Closed' })

  const named = [
    ['Grace Hopper,\u00a0by Robot, by Closing robot, by Ada', 'Closing robot, by Ada'],
    ['Grace Hopper,\u00a0by Robot', null]
  ]
  const admin = await anAdmin(desk)
  const is = ({ kind, action }: { kind?: string; action?: string }) => (kind ?? action) === 'ticket.status_changed'
  const { events } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data
  const { entries } = (await desk.post('/api/admin/audit/list', admin, { target_type: 'ticket', target_id: id })).data
  const feed = (await desk.post('/api/admin/events/list', admin, { ticket_id: id })).data.events
  for (const rows of [events.filter(is), entries.filter(is).toReversed()])
    assert.deepEqual(
      rows.map((row: { actor_name: string; actor_token: string | null }) => [row.actor_name, row.actor_token]),
      named
    )
  assert.deepEqual(
    feed.filter(is).map(({ actor }: { actor: { name: string; token?: string } }) => [actor.name, actor.token ?? null]),
    named
  )
  assert.equal((await desk.post('/api/admin/audit/verify', admin)).data.is_whole, 1)
})

test('a reply by a token goes at once, as the token, even if it asks to be taken back', async () => {
  const admin = await anAdmin(desk)
  await desk.post('/api/admin/settings/update', admin, { undo_send_seconds: 10 })
  const { ticket_id: id } = await aTicket(desk, await aClient(desk))
  const owner = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
  const { token } = await aToken(owner, { name: 'Reply robot', permissions: ['tickets.view_all', 'tickets.reply'] })

  const refused = await desk.post(
    '/api/admin/tickets/reply',
    { token },
    { id, message: 'Bye', undo: 1, status: 'Closed' }
  )
  const sent = await desk.post('/api/admin/tickets/reply', { token }, { id, message: 'Hello', undo: 1 })

  assert.equal(refused.status, 403)
  assert.deepEqual([sent.status, sent.data.undo_until], [201, null])
  const db = await sequencedDatabase(desk)
  const event = db.selectFrom('events').where('ticket_id', '=', id).where('kind', '=', 'ticket.replied')
  const { actor_name } = await event.select('actor_name').executeTakeFirstOrThrow()
  assert.equal(actor_name, 'Grace Hopper, by Reply robot')
})

test('the last use is kept by day and network, never by the hour or the whole address', async () => {
  const owner = await aClient(desk)
  const { token } = await aToken(owner)
  assert.deepEqual(
    (await tokensOf(owner)).map((each: { last_used_on: unknown }) => each.last_used_on),
    [null]
  )

  await desk.post(profile, { token })

  const [{ last_used_on, last_used_network }] = await tokensOf(owner)
  assert.deepEqual([last_used_on, last_used_network], [desk.clock.now().toISOString().slice(0, 10), '127.0.0.0/24'])
})

test('a token that was invented, mistyped or cut off is a 401', async () => {
  const { token } = await aToken(await aClient(desk))

  for (const wrong of [
    token.slice(0, -1),
    `${token}x`,
    `${token.slice(0, -1)}_`,
    'dl_',
    token.replace('dl_', 'dl_x')
  ]) {
    assert.equal((await desk.post(profile, { token: wrong })).status, 401, wrong)
  }
})

test('webhooks are made with the token of an admin', async () => {
  const { token } = await aToken(await anAdmin(desk))

  const body = { url: 'https://8.8.8.8/hook', kinds: ['ticket.created'] }
  const { status, body: answer } = await desk.post('/api/admin/webhooks/create', { token }, body)

  assert.equal(status, 201, JSON.stringify(answer))
})
