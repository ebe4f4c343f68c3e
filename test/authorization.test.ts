import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorizationTable, type Cell, type Visitor, visitors } from '../src/operation/pages/authorization.ts'
import { authorizationRequests } from './support/authorization-requests.ts'
import { bootDesk } from './support/desk.ts'
import { anOrganisation, aPersonOf } from './support/organisations.ts'
import { aClient, anAdmin, aSupporter, type Person } from './support/people.ts'
import { withoutAttemptLimits } from './support/routes.ts'
import { aFile, assign, aTicket } from './support/tickets.ts'

const desk = await bootDesk({ config: { ...withoutAttemptLimits, TEST_CLOCK: true }, connections: 5 })
const organisation = await anOrganisation(desk)
const owner = await aPersonOf(desk, organisation)
const { ticket_id, attachments } = await aTicket(desk, owner, {}, [aFile('a.txt')])
const [attachment] = attachments
const { ask, faultOf, someSupporter, someBlockedSender } = authorizationRequests(desk, {
  owner,
  ticketId: ticket_id,
  attachment
})

// Logging out comes last: the visitors go on with their tokens.
const rows = authorizationTable().toSorted((one, other) => Number(isLogOut(one)) - Number(isLogOut(other)))
const tokens = await tokensOf(visitors)

test('everybody is refused where docs/authorization.md says so and as it says, and a refusal leaves nothing behind', async () => {
  await someSupporter()
  await someBlockedSender()
  const before = await desk.rowCounts()

  const { asked, faults } = await faultsWhere(cell => cell !== 'yes')

  assert.ok(asked > 3000, String(asked))
  assert.deepEqual(faults, [])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('everybody is let in elsewhere', async () => {
  const { asked, faults } = await faultsWhere(cell => cell === 'yes')

  assert.ok(asked > 1000, String(asked))
  assert.deepEqual(faults, [])
})

test('a client and a member of staff with the same id share nothing', async () => {
  const own = await bootDesk()
  const [client, admin] = [await aClient(own), await anAdmin(own)]
  assert.equal(client.id, admin.id)
  const ticket = await aTicket(own, client)

  assert.equal((await own.post('/api/admin/clients/list', client)).status, 403)
  assert.equal((await own.post('/api/tickets/list', admin)).data.total, 0)
  assert.equal((await own.post('/api/tickets/create', admin, { subject: 'x' })).status, 403)
  const { reset_token } = (await own.post('/api/auth/forgot-password', undefined, { email: client.email })).data
  await own.post('/api/auth/reset-password', undefined, { token: reset_token, new_password: 'battery staple' })

  assert.equal((await own.post('/api/tickets/detail', client, { id: ticket.ticket_id })).status, 401)
  assert.equal((await own.post('/api/tickets/detail', admin, { id: ticket.ticket_id })).status, 200)
  const credentials = { email: admin.email, password: admin.password }
  assert.equal((await own.post('/api/admin/auth/login', undefined, credentials)).status, 200)
})

/** Sends each request of the table whose cell is meant. */
async function faultsWhere(isMeant: (cell: Cell) => boolean): Promise<{ asked: number; faults: string[] }> {
  const faults: string[] = []
  let asked = 0
  for (const visitor of visitors) {
    for (const row of rows.filter(({ cells }) => isMeant(cells.get(visitor)!))) {
      const fault = faultOf(row, visitor, await ask(row.method, row.path, tokens.get(visitor)))
      if (fault) faults.push(fault)
      asked++
    }
  }
  return { asked, faults }
}

function isLogOut({ path }: { path: string }): boolean {
  return path.endsWith('/logout')
}

async function tokensOf(visitors: readonly Visitor[]): Promise<Map<Visitor, string | undefined>> {
  const tokens = new Map<Visitor, string | undefined>()
  for (const visitor of visitors) tokens.set(visitor, (await personOf(visitor))?.token)
  return tokens
}

async function personOf({ kind, grant }: Visitor): Promise<Person | undefined> {
  switch (kind) {
    case 'stranger':
      return undefined
    case 'owner': {
      // Logged in anew: a test before may have logged out.
      const { email, password } = owner
      return { ...owner, ...(await desk.post('/api/auth/login', undefined, { email, password })).data }
    }
    case 'other client':
      return await aClient(desk)
    case 'member':
    case 'manager':
      return await aPersonOf(desk, organisation, kind)
    case 'supporter':
      return await aSupporter(desk, ...(grant ? [grant] : []))
    case 'assigned supporter': {
      const supporter = await aSupporter(desk)
      await assign(desk, ticket_id, supporter.id)
      return supporter
    }
    case 'admin':
      return await anAdmin(desk)
    case 'deactivated client': {
      const client = await aClient(desk)
      await desk.db.updateTable('clients').set({ is_active: false }).where('id', '=', client.id).execute()
      return client
    }
    case 'deactivated admin': {
      const admin = await anAdmin(desk)
      const reply = await desk.post('/api/admin/staff/update', await anAdmin(desk), { id: admin.id, is_active: 0 })
      assert.equal(reply.status, 200)
      return admin
    }
    case 'deleted supporter': {
      const supporter = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'clients.view', 'staff.view')
      const reply = await desk.post('/api/admin/staff/delete', await anAdmin(desk), { id: supporter.id })
      assert.equal(reply.status, 200)
      return supporter
    }
  }
}
