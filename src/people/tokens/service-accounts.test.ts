import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { aTicket } from '../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 5 })
const admin = await anAdmin(desk)
let serial = 0

async function anAccount(given: object = {}): Promise<number> {
  const reply = await desk.post('/api/admin/service-accounts/create', admin, { name: `Shop ${++serial}`, ...given })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.data.service_account.id
}

async function aTokenOf(id: number, given: object = {}): Promise<{ token: string }> {
  const body = { id, name: `t${++serial}`, ...given }
  const reply = await desk.post('/api/admin/service-accounts/tokens/create', admin, body)
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.data
}

const emailOf = async (id: number) =>
  (await desk.db.selectFrom('staff').where('id', '=', id).select('email').executeTakeFirstOrThrow()).email

test('a service account acts by its tokens, with the rights and departments that an admin gave it', async () => {
  const client = await aClient(desk)
  const { ticket_id } = await aTicket(desk, client, { department_id: 1 })
  const elsewhere = await aTicket(desk, client, { department_id: 4 })
  const id = await anAccount({ permissions: ['tickets.view_all', 'tickets.reply'], departments: [1] })
  const { token } = await aTokenOf(id)

  const reply = await desk.post(
    '/api/tickets/reply',
    { token },
    { id: ticket_id, message: 'Your order is on its way.' }
  )

  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  const hidden = await desk.post('/api/admin/tickets/detail', { token }, { id: elsewhere.ticket_id })
  assert.equal(hidden.status, 404)
  assert.equal((await desk.post('/api/admin/clients/list', { token })).status, 403)
  const db = await sequencedDatabase(desk)
  const events = db.selectFrom('events').where('ticket_id', '=', ticket_id).where('actor_id', '=', id)
  assert.match((await events.select('actor_name').executeTakeFirstOrThrow()).actor_name, /^Shop \d+, by t\d+$/)
})

test('a service account tells when the last of its tokens ends, if each has an end', async () => {
  const id = await anAccount()
  const inDays = (days: number) => new Date(desk.clock.now().getTime() + days * 86_400_000).toISOString()
  const ends = async () => {
    const { service_accounts } = (await desk.post('/api/admin/service-accounts/list', admin)).data
    return service_accounts.find((each: { id: number }) => each.id === id).access_ends_at
  }
  const [soon, later] = [inDays(3), inDays(9)]

  const seen = [await ends()]
  for (const expires_at of [soon, later, null]) {
    await aTokenOf(id, { expires_at })
    seen.push(await ends())
  }

  assert.deepEqual(seen, [null, soon, later, null])
})

test('nobody signs in to a service account, resets its password, gives it one or mails it', async () => {
  const id = await anAccount()
  const email = await emailOf(id)
  const before = await desk.db.selectFrom('staff').where('id', '=', id).select('password').executeTakeFirst()

  const login = await desk.post('/api/admin/auth/login', undefined, { email, password: 'correct horse' })
  assert.deepEqual([login.status, login.body.reason], [401, 'invalid_credentials'])
  assert.equal((await desk.post('/api/admin/auth/forgot-password', undefined, { email })).status, 200)
  const update = await desk.post('/api/admin/staff/update', admin, { id, password: 'correct horse' })
  assert.deepEqual([update.status, update.body.reason], [403, 'service_account'])

  assert.deepEqual(
    (await desk.deliver()).emails.filter(({ to }) => to === email),
    []
  )
  const after = await desk.db.selectFrom('staff').where('id', '=', id).select('password').executeTakeFirst()
  assert.deepEqual(after, before)
})

test('no ticket is assigned to a service account, and no list of people has it', async () => {
  const id = await anAccount({ permissions: ['tickets.view_all', 'tickets.reply'] })
  const { ticket_id } = await aTicket(desk, await aClient(desk))

  const assigned = await desk.post('/api/admin/tickets/assign', admin, { id: ticket_id, assigned_staff_id: id })
  assert.deepEqual([assigned.status, assigned.body.reason], [400, 'unknown_assignee'])
  const { staff } = (await desk.post('/api/admin/staff/list', admin)).data
  const { colleagues } = (await desk.post('/api/admin/colleagues/list', admin)).data
  const ids = [...staff, ...colleagues].map(each => each.id)
  assert.ok(!ids.includes(id))
  const { service_accounts } = (await desk.post('/api/admin/service-accounts/list', admin)).data
  assert.ok(service_accounts.some((each: { id: number }) => each.id === id))
})

test('its tokens end when it is deactivated or deleted, and lose what it may no longer', async () => {
  const [first, second] = [await anAccount({ permissions: ['clients.view'] }), await anAccount()]
  const [one, two] = [await aTokenOf(first), await aTokenOf(second)]
  const may = async () => (await desk.post('/api/admin/clients/list', one)).status
  assert.equal(await may(), 200)

  await desk.post('/api/admin/service-accounts/update', admin, { id: first, permissions: ['staff.view'] })
  assert.equal(await may(), 403)
  await desk.post('/api/admin/service-accounts/update', admin, { id: first, is_active: 0 })
  assert.equal(await may(), 401)
  const inactive = await desk.post('/api/admin/service-accounts/tokens/create', admin, { id: first, name: 'x' })
  assert.equal(inactive.status, 404)
  await desk.post('/api/admin/service-accounts/delete', admin, { id: second })
  assert.equal((await desk.post('/api/account/profile', two)).status, 401)
  assert.equal((await desk.post('/api/admin/service-accounts/delete', admin, { id: second })).status, 404)
})

test('a service account needs no second factor where staff do', async () => {
  const { token } = await aTokenOf(await anAccount({ permissions: ['staff.view'] }))
  const person = await aSupporter(desk, 'staff.view')
  const own = (await desk.post('/api/account/tokens/create', person, { name: 'own' })).data.token
  await desk.db.insertInto('desk_settings').values({ name: 'require_staff_2fa', value: '1' }).execute()

  const statuses = [token, own].map(async each => (await desk.post('/api/admin/staff/list', { token: each })).status)

  assert.deepEqual(await Promise.all(statuses), [200, 403])
  await desk.db.deleteFrom('desk_settings').where('name', '=', 'require_staff_2fa').execute()
})

test('members of staff are no service accounts to their endpoints, and unknown departments are refused', async () => {
  const grace = await aSupporter(desk)
  const before = await desk.rowCounts()

  for (const verb of ['update', 'delete']) {
    const reply = await desk.post(`/api/admin/service-accounts/${verb}`, admin, { id: grace.id })
    assert.deepEqual([reply.status, reply.body.reason], [404, 'service_account_not_found'])
  }
  const refused = await desk.post('/api/admin/service-accounts/create', admin, { name: 'x', departments: [4711] })
  assert.deepEqual([refused.status, refused.body.errors], [400, ['departments']])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('two admins who change a service account at once: the second is told, and neither loses a change unseen', async () => {
  const made = await desk.post('/api/admin/service-accounts/create', admin, { name: 'Two admins' })
  const { id, version } = made.data.service_account
  const change = (given: object) => desk.post('/api/admin/service-accounts/update', admin, { id, ...given })

  const both = await Promise.all(['One', 'Two'].map(name => change({ name, expected_version: version })))
  const [done] = both.filter(({ status }) => status === 200)
  const [refused] = both.filter(({ status }) => status === 409)
  const latest = done!.data.service_account
  const over = await change({ name: 'Three', expected_version: latest.version })

  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
  assert.deepEqual([refused!.body.reason, refused!.body.errors], ['version_conflict', ['expected_version']])
  assert.equal(refused!.data.current_version, latest.version)
  assert.deepEqual([over.status, over.data.service_account.name], [200, 'Three'])
})

test('a department whose only member is a program: nobody is told there, and people who see all take turns', async () => {
  const { department } = (await desk.post('/api/admin/departments/create', admin, { name: 'Programs only' })).data
  const { deptid } = department
  await anAccount({ name: 'Parcel tracker', permissions: ['tickets.view_all', 'tickets.reply'], departments: [deptid] })
  const grace = await aSupporter(desk, 'tickets.reply', 'tickets.view_all')
  const { ticket_id } = await aTicket(desk, await aClient(desk), { department_id: deptid })
  const macro = async (action: object) => {
    const body = { name: `m${++serial}`, actions: [action], is_shared: 1 }
    const { id } = (await desk.post('/api/admin/macros/create', admin, body)).data.macro
    return (await desk.post('/api/admin/macros/apply', admin, { id: ticket_id, macro_id: id, send: 1 })).body
  }
  const snoozed = async () => {
    const { data } = await desk.post('/api/admin/tickets/detail', admin, { id: ticket_id })
    return data.ticket.snooze !== null
  }

  const told = await macro({ notify_staff: { who: 'department', text: 'A parcel is lost' } })
  await macro({ assign: { round_robin: deptid } })
  const until = new Date(desk.clock.now().getTime() + 86_400_000).toISOString()
  assert.equal((await desk.post('/api/admin/tickets/snooze', admin, { id: ticket_id, until })).status, 200)
  await desk.post('/api/admin/tickets/note', admin, { id: ticket_id, note: 'As @parcel.tracker said' })

  assert.match(JSON.stringify(told), /nobody|Nobody/)
  const [ticket] = await desk.db.selectFrom('tickets').where('id', '=', ticket_id).select('assigned_staff_id').execute()
  assert.equal(ticket!.assigned_staff_id, grace.id)
  assert.equal(await snoozed(), true)
  const detail = (await desk.post('/api/admin/departments/detail', admin, { id: deptid })).data
  assert.equal(detail.department.member_count, 0)
})
