import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk, type Desk } from '../../../test/support/desk.ts'
import { aClient, aSupporter, type Person } from '../../../test/support/people.ts'
import { type Config, readConfig } from '../config.ts'
import { exchangeCounts } from './count-in-memory.ts'
import { countTicket } from './use-limits.ts'

const ticket = { department_id: 1, subject: 'The printer is on fire', message: 'It started this morning.' }
let serial = 0

const behindProxy = (config: Partial<Config>) => bootDesk({ config: { TRUST_PROXY: 1, ...config } })

async function post(desk: Desk, path: string, from: string, body: object, who?: Person) {
  const isForm = body instanceof FormData
  const headers = {
    ...(isForm ? {} : { 'content-type': 'application/json' }),
    'x-forwarded-for': from,
    ...(who ? { authorization: `Bearer ${who.token}` } : {})
  }
  const response = await fetch(desk.url + path, { method: 'POST', headers, body: isForm ? body : JSON.stringify(body) })
  return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) }
}

function aPerson() {
  return { first_name: 'Ada', last_name: 'Lovelace', email: `new.${++serial}@example.com`, password: 'correct horse' }
}

function withFiles(count: number, fields: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  for (let at = 0; at < count; at++) form.append('attachments', new Blob(['words']), `file-${at}.txt`)
  return form
}

test('sign-ups are bounded for each network, of IPv6 also for those around it, and write nothing when refused', async () => {
  const desk = await behindProxy({ MAX_SIGNUPS_PER_NETWORK: 2 })
  const signUp = async (from: string) => (await post(desk, '/api/auth/signup', from, aPerson())).status

  const statuses = [await signUp('192.0.2.1'), await signUp('192.0.2.1')]
  const before = await desk.rowCounts()
  const refused = await post(desk, '/api/auth/signup', '192.0.2.1', aPerson())
  const afterwards = await desk.rowCounts()
  for (let at = 0; at < 6; at++) statuses.push(await signUp(`2001:db8:1:${at}::1`))
  desk.clock.turn(3600)

  assert.deepEqual([...statuses, await signUp('192.0.2.1')], [201, 201, 201, 201, 201, 201, 429, 429, 201])
  assert.ok(refused.status === 429 && refused.retryAfter > 3500, `${refused.status} ${refused.retryAfter}`)
  assert.deepEqual(afterwards, before)
})

test('tickets are bounded for each client and each network, and those of staff are not', async () => {
  const desk = await behindProxy({ MAX_TICKETS_PER_CLIENT: 2, MAX_TICKETS_PER_NETWORK: 3 })
  const [ada, mary, agent] = [await aClient(desk), await aClient(desk), await aSupporter(desk, 'tickets.reply')]
  const open = async (who: Person, from: string) => (await post(desk, '/api/tickets/create', from, ticket, who)).status

  const statuses = [await open(ada, '192.0.2.1'), await open(ada, '192.0.2.2'), await open(ada, '192.0.2.3')]
  statuses.push(await open(mary, '192.0.2.1'), await open(mary, '192.0.2.1'))
  const opening = { ...ticket, client_id: ada.id }
  for (let at = 0; at < 4; at++) {
    statuses.push((await post(desk, '/api/admin/tickets/create', '192.0.2.1', opening, agent)).status)
  }

  assert.deepEqual(statuses, [201, 201, 429, 201, 201, 201, 201, 201, 201])
  assert.equal((await desk.rowCounts()).tickets, 8)
})

test('uploads are bounded before they are read, and nothing is left of a request that is refused', async () => {
  const desk = await behindProxy({ MAX_UPLOADS_PER_CLIENT: 3 })
  const ada = await aClient(desk)
  const send = async (files: number) =>
    await post(desk, '/api/tickets/create', '192.0.2.1', withFiles(files, ticket), ada)

  const first = await send(2)
  const before = await desk.rowCounts()
  const second = await send(2)
  const afterwards = await desk.rowCounts()
  const plain = await send(0)

  assert.deepEqual([first.status, second.status, plain.status], [201, 429, 201])
  assert.ok(second.retryAfter > 3500)
  assert.deepEqual(afterwards, before)
})

test('what is counted in memory is told to the other processes, once and not twice', async () => {
  const desk = await bootDesk({ config: { MAX_TICKETS_PER_CLIENT: 4 } })
  // A second handle on the same database acts as another process.
  const other = { ...desk.services, db: desk.db.withoutPlugins() }
  const count = (services: typeof other) => countTicket(services, 7, '192.0.2.1')
  for (let at = 0; at < 2; at++) count(desk.services)
  count(other)

  await exchangeCounts(desk.services)
  await exchangeCounts(desk.services)
  await exchangeCounts(other)
  const kept = await desk.db.selectFrom('rate_limits').select(['key', 'count']).execute()
  count(other)

  assert.deepEqual(kept, [{ key: 'tickets:client:7', count: 3 }])
  assert.throws(() => count(other), { status: 429 })
  await exchangeCounts(other)
  count(desk.services)
  await exchangeCounts(desk.services)
  assert.throws(() => count(desk.services), { status: 429 })
})

test('a thousand sign-ups an hour from one network pass in production; outside of it nothing is counted', () => {
  assert.ok(readConfig({ NODE_ENV: 'production' }).MAX_SIGNUPS_PER_NETWORK > 1000)
  assert.equal(readConfig({}).MAX_SIGNUPS_PER_NETWORK, 0)
})
