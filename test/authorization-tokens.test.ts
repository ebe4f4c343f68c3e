import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissionSlugs } from '../src/core/permissions.ts'
import { endpoints } from '../src/endpoints.ts'
import type { AnyEndpoint } from '../src/kit/endpoint.ts'
import { authorizationTable, type Visitor, visitorsByToken } from '../src/operation/pages/authorization.ts'
import { anApiToken } from './support/api-tokens.ts'
import { authorizationRequests } from './support/authorization-requests.ts'
import { bootDesk } from './support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from './support/people.ts'
import { withoutAttemptLimits } from './support/routes.ts'
import { aFile, aTicket, limitTo } from './support/tickets.ts'

const desk = await bootDesk({ config: { ...withoutAttemptLimits, TEST_CLOCK: true }, connections: 5 })
const [owner, admin] = [await aClient(desk), await anAdmin(desk)]
const { ticket_id: ticketId, attachments } = await aTicket(desk, owner, {}, [aFile('a.txt')])
const { ask, faultOf } = authorizationRequests(desk, { owner, ticketId, attachment: attachments[0] })
// What is public does not look at a token.
const isPublic = new Set(endpoints.filter(({ access }: AnyEndpoint) => access === 'public').map(({ path }) => path))
const rows = authorizationTable().filter(({ path }) => !isPublic.has(path))
const byRight = new Set(
  endpoints.filter(({ access }: AnyEndpoint) => typeof access === 'object').map(({ path }) => path)
)
let serial = 0

interface Given {
  permissions?: readonly string[]
  departments?: readonly number[]
  read_only?: 0 | 1
  expires_at?: string
}

const aToken = async (person: Person, given: Given = {}) => (await anApiToken(desk, person, given)).token

async function aServiceToken(given: Given): Promise<string> {
  const made = await desk.post('/api/admin/service-accounts/create', admin, { name: `Shop ${++serial}`, ...given })
  const body = { id: made.data.service_account.id, name: 'only' }
  return (await desk.post('/api/admin/service-accounts/tokens/create', admin, body)).data.token
}

/** The tokens of this kind of caller: where somebody's chosen rights and a service account's are the same, both. */
async function tokensOf({ kind, grant, token }: Visitor): Promise<string[]> {
  const reads: Given = { read_only: token === 'reads' ? 1 : 0 }
  switch (kind) {
    case 'owner':
      return [await aToken(owner, reads)]
    case 'admin':
      return [await aToken(admin, reads)]
    case 'supporter': {
      const permissions = grant ? [grant] : []
      return [await aToken(admin, { permissions }), await aServiceToken({ permissions })]
    }
    case 'deactivated client': {
      const client = await aClient(desk)
      const ended = await aToken(client)
      await desk.db.updateTable('clients').set({ is_active: false }).where('id', '=', client.id).execute()
      return [ended]
    }
    default: {
      assert.equal(kind, 'deleted supporter')
      const supporter = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
      const ended = await aToken(supporter)
      assert.equal((await desk.post('/api/admin/staff/delete', admin, { id: supporter.id })).status, 200)
      return [ended]
    }
  }
}

test('an API token is let in where docs/authorization.md says so, a person’s and a service account’s alike', async () => {
  const faults: string[] = []
  let asked = 0

  for (const visitor of visitorsByToken) {
    for (const [at, token] of (await tokensOf(visitor)).entries()) {
      // The second one, of a service account, only where rights are asked for: the rest was seen with the first.
      for (const row of rows.filter(({ path }) => at === 0 || byRight.has(path))) {
        const fault = faultOf(row, visitor, await ask(row.method, row.path, token))
        if (fault) faults.push(fault)
        asked++
      }
    }
  }

  assert.ok(asked > 7000, String(asked))
  assert.deepEqual(faults, [])
})

test('a token of some departments reaches as much as a supporter of these with the same rights, and no more', async () => {
  const person = await aSupporter(desk, ...permissionSlugs)
  await limitTo(desk, person.id, 4)
  const rights = { permissions: permissionSlugs, departments: [4] }
  const wide = await aSupporter(desk, ...permissionSlugs)
  const tokens = [await aToken(admin, rights), await aToken(wide, { departments: [4] }), await aServiceToken(rights)]
  const reached = endpoints.filter(({ access, signedInOnly }: AnyEndpoint) => access !== 'public' && !signedInOnly)
  const faults: string[] = []

  for (const { path } of reached) {
    const expected = await ask('POST', path, person.token)
    for (const token of tokens) {
      const status = await ask('POST', path, token)
      if (status !== expected) faults.push(`${path}: ${expected} for the supporter, ${status} for a token`)
    }
  }

  assert.deepEqual(faults, [])
  assert.equal(await ask('POST', '/api/admin/tickets/detail', tokens[0]), 400)
  assert.equal(
    await ask('POST', '/api/tickets/detail', tokens[0]),
    await ask('POST', '/api/tickets/detail', person.token)
  )
})

test('a token that was revoked or has expired, or whose owner was deactivated, is let in nowhere', async () => {
  const supporter = await aSupporter(desk, ...permissionSlugs)
  const soon = new Date(desk.clock.now().getTime() + 60_000).toISOString()
  const [revoked, expired, left] = [
    await aToken(admin),
    await aToken(admin, { expires_at: soon }),
    await aToken(supporter)
  ]
  const { api_tokens } = (await desk.post('/api/account/tokens/list', admin)).data
  const { id } = api_tokens.find(({ last_four }: { last_four: string }) => last_four === revoked.slice(-4))
  await desk.post('/api/account/tokens/revoke', admin, { id })
  await desk.post('/api/admin/staff/update', admin, { id: supporter.id, is_active: 0 })
  desk.clock.turn(61)
  const closed = endpoints.filter(({ access }: AnyEndpoint) => access !== 'public' && access !== 'optional')
  const before = await desk.rowCounts()

  for (const token of [revoked, expired, left]) {
    for (const { path } of closed) assert.equal(await ask('POST', path, token), 401, path)
  }

  assert.deepEqual(await desk.rowCounts(), before)
})
