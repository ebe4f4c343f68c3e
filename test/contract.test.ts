import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissionSlugs } from '../src/core/permissions.ts'
import { endpoints } from '../src/endpoints.ts'
import type { Access } from '../src/kit/endpoint.ts'
import type { Auth } from './support/contract-row.ts'
import { allRows, contractSummary, furtherEndpoints } from './support/contract-summary.ts'
import { bootDesk } from './support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from './support/people.ts'
import {
  contractRow,
  permittedCallers,
  type Route,
  routes,
  send,
  sendJson,
  supporterOfEachPermission,
  withoutAttemptLimits,
  writesNothing
} from './support/routes.ts'

const desk = await bootDesk({ config: { ...withoutAttemptLimits, TEST_CLOCK: true } })
const personFor = await permittedCallers(desk)
const guarded = routes.filter(({ endpoint }) => endpoint.access !== 'public' && endpoint.access !== 'optional')

test('the endpoints, their aliases and who may call them are those of the contract', () => {
  const byPath = (one: { path: string }, other: { path: string }) => one.path.localeCompare(other.path)
  const declared = endpoints
    .filter(({ path }) => !furtherEndpoints.some(each => each.path === path))
    .map(({ path, aliases = [], access }) => ({
      path,
      aliases: aliases.map(alias => (typeof alias === 'string' ? alias : alias.path)),
      auth: authOf(access)
    }))

  assert.equal(contractSummary.length, 33)
  assert.deepEqual(
    declared.toSorted(byPath),
    contractSummary.map(({ path, aliases, auth }) => ({ path, aliases, auth })).toSorted(byPath)
  )
  assert.equal(endpoints.length, allRows.length)
})

test('GET is for verify-reset-token and check-by-email alone, and leads whoever opens the link of an e-mail to its page', async () => {
  assert.deepEqual(
    routes
      .filter(({ methods }) => methods.includes('GET'))
      .map(({ path }) => path)
      .toSorted(),
    ['/api/auth/verify-reset-token', '/api/user/check-by-email']
  )
  const client = await aClient(desk)

  const found = await send(desk, `/api/user/check-by-email?email=${client.email}`, { method: 'GET' })
  const missing = await send(desk, '/api/user/check-by-email', { method: 'GET' })
  const refused = await send(desk, '/api/auth/verify-reset-token?token=nonsense', { method: 'GET' })

  assert.deepEqual([found.status, found.data.exists], [200, true])
  assert.deepEqual([missing.status, missing.body.errors], [400, ['email']])
  assert.equal(refused.status, 401)
})

test('a stranger and a bad bearer are told to authenticate, before the body is looked at', async () => {
  await writesNothing(desk, async () => {
    for (const { path } of guarded) {
      for (const asker of [undefined, { token: 'nonsense' }]) {
        const reply = await send(desk, path, { asker, type: 'application/json', body: '{' })

        assert.equal(reply.status, 401, path)
        assert.equal(reply.headers.get('www-authenticate'), 'Bearer', path)
      }
    }
  })
})

test('a bad bearer is the same as none where none is needed', async () => {
  for (const { path, endpoint } of routes.filter(route => !guarded.includes(route))) {
    const stranger = await send(desk, path)
    const bad = await send(desk, path, { asker: { token: 'nonsense' } })

    assert.equal(bad.status, stranger.status, path)
    if (endpoint.body === undefined) assert.equal(bad.status, 200, path)
  }
})

test('a client is refused by everything that is for staff, and let in elsewhere', async () => {
  const client = await aClient(desk)

  await writesNothing(desk, async () => {
    for (const route of guarded) await assertAccess(route, client, admitsClients(authAt(route)))
  })
})

test('an admin is let in everywhere but where clients open tickets', async () => {
  const admin = await anAdmin(desk)

  for (const route of guarded) await assertAccess(route, admin, authAt(route) !== 'clients')
})

test('a supporter without a grant is let in only where any login, or any of staff, will do', async () => {
  const supporter = await aSupporter(desk)

  await writesNothing(desk, async () => {
    for (const route of guarded) await assertAccess(route, supporter, admitsAllStaff(authAt(route)))
  })
})

test('each permission that an address names opens it alone, and all others together do not', async () => {
  const own = new Map(await supporterOfEachPermission(desk))
  const withAllBut = new Map<string, Person>()

  for (const route of guarded) {
    const auth = authAt(route)
    const named = namedBy(auth)
    for (const slug of named) await assertAccess(route, own.get(slug)!, true)
    const others = permissionSlugs.filter(slug => !named.includes(slug))
    const key = others.join()
    const stranger = withAllBut.get(key) ?? (await aSupporter(desk, ...others))
    withAllBut.set(key, stranger)
    await assertAccess(route, stranger, admitsAllStaff(auth))
  }
})

test('supporters with grants are refused a supporter’s creation on the address that it shares with the list', async () => {
  const supporter = await aSupporter(desk, 'staff.view', 'staff.manage')

  await writesNothing(desk, async () => {
    const reply = await sendJson(desk, '/api/admin/staff', supporter, { first_name: 'Eve' })

    assert.equal(reply.status, 403)
  })
})

test('another method on a known address is a 405 that names the right ones', async () => {
  await writesNothing(desk, async () => {
    for (const [turn, { path, methods, endpoint }] of routes.entries()) {
      // Each address with two of them, in turn: the same code answers them all.
      const others = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(each => !methods.includes(each))
      for (const method of [others[turn % others.length]!, others[(turn + 2) % others.length]!]) {
        const reply = await send(desk, path, { method, asker: personFor(endpoint) })

        assert.equal(reply.status, 405, `${method} ${path}`)
        assert.equal(reply.headers.get('allow'), methods.join(', '))
      }
    }
  })
})

test('an unknown address is a 404, whoever asks and however', async () => {
  const admin = await anAdmin(desk)

  for (const path of [
    '/api',
    '/api/nothing',
    '/api/auth',
    '/api/tickets/1/nothing',
    '/api/admin/staff/1/2/3',
    '/API/check'
  ]) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      assert.equal((await send(desk, path, { method, asker: admin })).status, 404, `${method} ${path}`)
    }
  }
})

test('one slash at the end of an address changes nothing', async () => {
  for (const { path, endpoint } of routes) {
    const asker = personFor(endpoint)

    assert.equal((await send(desk, `${path}/`, { asker })).status, (await send(desk, path, { asker })).status, path)
  }
})

test('every answer forbids keeping it and names its request', async () => {
  for (const { path } of routes) {
    const { headers } = await send(desk, path)

    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(headers.get('x-request-id') ?? '', /./)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }
})

function authOf(access: Access<string>): Auth {
  if (typeof access === 'object') return access.orClient ? { clients: true, or: access.anyOf.join(' ') } : access.anyOf
  return (
    {
      public: 'none',
      optional: 'optional',
      user: 'required',
      client: 'clients',
      staff: 'staff',
      admin: 'admin'
    } as const
  )[access]
}

/** On the shared address of staff the list lets in whom it may; see the row of the list, which comes first. */
function authAt(route: Route): Auth {
  return route.pattern === '/api/admin/staff' ? ['staff.view', 'staff.manage'] : contractRow(route).auth
}

/** The permissions that open an address, besides what else does. */
function namedBy(auth: Auth): readonly string[] {
  if (Array.isArray(auth)) return auth
  return typeof auth === 'object' && 'or' in auth ? [auth.or] : []
}

function admitsClients(auth: Auth): boolean {
  return auth === 'required' || auth === 'clients' || (typeof auth === 'object' && 'clients' in auth)
}

function admitsAllStaff(auth: Auth): boolean {
  return auth === 'required' || auth === 'staff'
}

/** Sends a body that nobody can read: whoever is let in hears of that, whoever is not hears nothing of it. */
async function assertAccess({ path }: Route, asker: { token: string }, isLetIn: boolean): Promise<void> {
  const { status } = await send(desk, path, { asker, type: 'application/json', body: '{' })

  assert.equal(status, isLetIn ? 400 : 403, path)
}
