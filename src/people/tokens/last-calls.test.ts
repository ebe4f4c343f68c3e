import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { noteCall } from '../../core/api-tokens/last-calls.ts'
import { sweepExpired } from '../../mail/outbox/sweep.ts'

const desk = await bootDesk({ connections: 5 })
const admin = await anAdmin(desk)
let serial = 0

async function aProgram(given: object = {}, token: object = {}): Promise<{ id: number; token: string }> {
  const name = `Warehouse ${++serial}`
  const made = await desk.post('/api/admin/service-accounts/create', admin, { name, ...given })
  const { id } = made.data.service_account
  const reply = await desk.post('/api/admin/service-accounts/tokens/create', admin, { id, name: 'Server 1', ...token })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return { id, token: reply.data.token }
}

const lastCalls = async (id: number) => (await desk.post('/api/admin/service-accounts/calls/list', admin, { id })).data

test('last calls of a service account show what was refused, and which right was missing', async () => {
  const { ticket_id } = await aTicket(desk, await aClient(desk))
  const program = await aProgram({ permissions: ['tickets.view_all', 'tickets.reply'] })

  assert.equal((await desk.post('/api/admin/tickets/detail', program, { id: ticket_id })).status, 200)
  assert.equal((await desk.post('/api/admin/tickets/delete', program, { id: ticket_id })).status, 403)
  const bulk = { ids: [ticket_id], action: 'delete' }
  assert.equal((await desk.post('/api/admin/tickets/bulk', program, bulk)).status, 403)
  assert.equal((await desk.post('/api/admin/tickets/detail', program, { id: 99_999_999 })).status, 404)

  const { calls, calls_today, refused_this_week } = await lastCalls(program.id)
  assert.deepEqual(
    calls.map((call: Record<string, unknown>) => [call.path, call.status, call.is_refused, call.missing_permissions]),
    [
      ['/api/admin/tickets/detail', 404, 0, null],
      ['/api/admin/tickets/bulk', 403, 1, ['tickets.delete']],
      ['/api/admin/tickets/delete', 403, 1, ['tickets.delete']],
      ['/api/admin/tickets/detail', 200, 0, null]
    ]
  )
  assert.deepEqual([calls_today, refused_this_week], [4, 2])
  assert.deepEqual([calls[1].token_name, calls[1].network, calls[1].reason], ['Server 1', '127.0.0.0/24', 'forbidden'])
  assert.ok(!Number.isNaN(Date.parse(calls[1].at)))
})

test('a call that is refused for its address, for reading alone or for lack of a sign-in is among the last calls', async () => {
  const elsewhere = await aProgram({}, { addresses: ['192.0.2.0/24'] })
  assert.equal((await desk.post('/api/account/profile', elsewhere)).status, 403)
  const reader = await aProgram({ permissions: ['clients.view', 'clients.create'] }, { read_only: 1 })
  assert.equal((await desk.post('/api/admin/clients/create', reader, {})).status, 403)
  assert.equal((await desk.post('/api/admin/service-accounts/list', reader)).status, 403)

  const reasons = async (id: number) => (await lastCalls(id)).calls.map((call: { reason: string }) => call.reason)
  assert.deepEqual(await reasons(elsewhere.id), ['address_not_allowed'])
  assert.deepEqual(await reasons(reader.id), ['sign_in_required', 'read_only_token'])
})

test('at most 50 refused and 50 other calls of an account are kept, the newest; the sweep removes old ones', async () => {
  const program = await aProgram()
  const call = { account: program.id, token: 'Server 1', path: '/api/x', reason: null, missing: null, ip: '192.0.2.7' }
  for (const from of [0, 30]) {
    for (const number of Array(30).keys()) {
      const at = new Date(desk.clock.now().getTime() + from + number)
      noteCall(desk.services, { ...call, status: 200, at })
      noteCall(desk.services, { ...call, status: 403, path: `/api/${from + number}`, at })
    }
    await lastCalls(program.id)
  }

  const { calls, calls_today, refused_this_week } = await lastCalls(program.id)
  const refused = calls.filter((each: { is_refused: number }) => each.is_refused === 1)
  assert.deepEqual([calls.length, refused.length, calls_today, refused_this_week], [100, 50, 120, 60])
  assert.deepEqual([refused[0].path, refused.at(-1).path, refused[0].network], ['/api/59', '/api/10', '192.0.2.0/24'])

  await sweepExpired(desk.db, new Date(desk.clock.now().getTime() + 31 * 86_400_000))
  const left = await lastCalls(program.id)
  assert.deepEqual([left.calls, left.calls_today], [[], 0])
})

test('people leave no such record, admins alone read it, and it goes with the account', async () => {
  const program = await aProgram()
  await desk.post('/api/account/profile', program)
  const list = '/api/admin/service-accounts/calls/list'
  assert.equal((await desk.post(list, program, { id: program.id })).status, 403)
  assert.equal((await desk.post(list, admin, { id: admin.id })).status, 404)
  await lastCalls(program.id)

  await desk.post('/api/account/profile', program)
  await desk.post('/api/admin/service-accounts/delete', admin, { id: program.id })
  assert.equal((await desk.post(list, admin, { id: program.id })).status, 404)
  const rows = await desk.db.selectFrom('service_account_calls').select('staff_id').distinct().execute()
  assert.ok(rows.every(row => row.staff_id !== program.id && row.staff_id !== admin.id))
})

test('a service account is shown with its tokens and who made it', async () => {
  const program = await aProgram({ purpose: 'Stock of spare parts' })
  const { service_account, api_tokens } = (
    await desk.post('/api/admin/service-accounts/detail', admin, { id: program.id })
  ).data
  assert.equal(service_account.created_by.id, admin.id)
  assert.deepEqual(service_account.token_ends, [null])
  assert.deepEqual(
    api_tokens.map((token: { name: string }) => token.name),
    ['Server 1']
  )
  assert.equal((await desk.post('/api/admin/service-accounts/detail', admin, { id: admin.id })).status, 404)
})
