import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../test/support/desk.ts'
import { aClient, anAdmin, type Person } from '../../test/support/people.ts'
import { storedText } from '../../test/support/stored-text.ts'
import { aFile, aTicket, storedFiles } from '../../test/support/tickets.ts'
import { aWholeClient, canary, ofZebedee } from '../../test/support/whole-client.ts'
import { FileStoreUnavailable } from '../platform/files/file-store.ts'
import { sweepUploads } from '../tickets/sweep-uploads.ts'

const desk = await bootDesk({ connections: 5 })
const address = '/api/admin/clients/delete'
let admin: Person
let whole: Awaited<ReturnType<typeof aWholeClient>>

interface Store {
  store: string
  removed: number
  anonymized: number
  kept: number
  reason: string | null
}

beforeEach(async () => {
  admin = await anAdmin(desk)
})

async function erase(mode: string, given: object = {}) {
  return await desk.post(address, admin, { id: whole.client.id, mode, confirm_email: whole.email, ...given })
}

async function nothingNamesTheClient(): Promise<void> {
  const all = await storedText(desk, 'audit_log')
  for (const text of [whole.email, ...Object.values(ofZebedee), ofZebedee.phone_number.slice(1)]) {
    const at = all.indexOf(text.toLowerCase())
    assert.ok(at < 0, `${text} is still there: ${all.slice(at - 100, at + 100)}`)
  }
  const log = await storedText(desk, ...(await tablesBut('audit_log')))
  const { first_name: _first, last_name: _last, ...others } = ofZebedee
  for (const text of [whole.email, ...Object.values(others)]) assert.ok(!log.includes(text.toLowerCase()), text)
}

async function tablesBut(one: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables`.execute(desk.db)
  return rows.map(({ name }) => name).filter(name => name !== one)
}

/** The columns, but for times, in which two clients are not the same. */
async function differences(...clients: Person[]): Promise<string[]> {
  const ids = clients.map(({ id }) => id)
  const [one, other] = await desk.db.selectFrom('clients').selectAll().where('id', 'in', ids).execute()
  const columns = Object.keys(one!) as (keyof typeof other)[]
  return columns
    .filter(name => !/_at$|^search_text$/.test(name) && one![name] !== other![name])
    .map(String)
    .sort()
}

function countsOf(stores: Store[], column: 'removed' | 'anonymized' | 'kept'): Record<string, number> {
  return Object.fromEntries(stores.filter(each => each[column] > 0).map(each => [each.store, each[column]]))
}

describe('deleting with all that belongs to the client', () => {
  test('leaves every table as it was before the client came, and no file', async () => {
    await aTicket(desk, await aClient(desk), {}, [aFile('others.txt')])
    const others = await storedFiles(desk)
    const { audit_log: _log, audit_head: _head, ...before } = await desk.rowCounts()
    whole = await aWholeClient(desk)
    assert.equal((await storedFiles(desk)).length, others.length + 3)

    const reply = await erase('cascade')

    const { audit_log: _later, audit_head: _tail, ...after } = await desk.rowCounts()
    assert.deepEqual([reply.status, reply.data.deleted_id, reply.data.mode], [200, whole.client.id, 'cascade'])
    // The admin of the scene and the tag stay.
    assert.deepEqual(after, {
      ...before,
      staff: before.staff! + 1,
      sessions: before.sessions! + 1,
      refresh_tokens: before.refresh_tokens! + 1,
      tags: before.tags! + 1
    })
    assert.deepEqual(await storedFiles(desk), others)
    await nothingNamesTheClient()
  })

  test('tells of every store what became of it', async () => {
    whole = await aWholeClient(desk)

    const { stores } = (await erase('cascade')).data as { stores: Store[] }

    const { letters, guesses, audit_log, ...removed } = countsOf(stores, 'removed')
    assert.deepEqual(removed, {
      clients: 1,
      tickets: 2,
      ticket_messages: 4,
      client_words: 1,
      ticket_words: 2,
      message_words: 4,
      note_words: 1,
      ticket_attachments: 3,
      ticket_notes: 1,
      ticket_tags: 1,
      ticket_watchers: 1,
      ticket_events: 4,
      sessions: 1,
      refresh_tokens: 1,
      login_challenges: 1,
      reset_tokens: 1,
      verification_codes: 3,
      recovery_codes: 10,
      files: 3
    })
    assert.ok(letters! >= 4 && guesses! >= 1)
    const log = stores.find(each => each.store === 'audit_log')!
    assert.ok(log.kept >= 1 && log.removed === 0 && /chain/.test(log.reason!))
  })

  test('ends the client: the tokens, the tickets and the address are free of them', async () => {
    whole = await aWholeClient(desk)
    const { client, email, tickets } = whole

    await erase('cascade')

    const signUp = { first_name: 'Zoe', last_name: 'New', email, password: 'correct horse' }
    assert.equal((await desk.post('/api/tickets/list', client)).status, 401)
    assert.equal((await desk.post('/api/admin/clients/detail', admin, { id: client.id })).status, 404)
    assert.equal((await desk.post('/api/tickets/detail', admin, { id: tickets[0] })).status, 404)
    assert.equal((await desk.post('/api/auth/signup', undefined, signUp)).status, 201)
    await desk.db.deleteFrom('clients').where('email', '=', email).execute()
  })

  test('is told as done when the file store is away: the rows are gone, and the sweep brings the files after them', async t => {
    whole = await aWholeClient(desk)
    const before = await storedFiles(desk)
    const { files } = desk.services
    const away = t.mock.method(files, 'discard', async () => {
      throw new FileStoreUnavailable('away')
    })

    const { stores } = (await erase('cascade')).data as { stores: Store[] }

    away.mock.restore()
    const report = stores.find(each => each.store === 'files')!
    assert.deepEqual([report.removed, report.kept], [0, 3])
    assert.match(report.reason!, /sweep/)
    assert.equal((await storedFiles(desk)).length, before.length)
    await sweepUploads(desk.services, -1_000)
    assert.equal((await storedFiles(desk)).length, before.length - 3)
  })
})

describe('anonymizing', () => {
  test('takes the person out of everything, and leaves the tickets with their words and files', async () => {
    whole = await aWholeClient(desk)
    const files = await storedFiles(desk)

    const reply = await erase('anonymize')

    const { ticket, messages } = (await desk.post('/api/tickets/detail', admin, { id: whole.tickets[0] })).data
    const { client } = (await desk.post('/api/admin/clients/detail', admin, { id: whole.client.id })).data
    assert.deepEqual([reply.status, ticket.subject, messages.length], [200, 'Smoke', 3])
    assert.deepEqual(
      messages.map(
        (message: Person & { message: string }) => `${message.first_name} ${message.last_name}: ${message.message}`
      ),
      ['Deleted client: There is smoke.', 'Grace Hopper: We are coming.', 'Deleted client: Thank you.']
    )
    assert.deepEqual(
      [client.first_name, client.last_name, client.company_name, client.is_active],
      ['Deleted', 'client', '', 0]
    )
    assert.match(client.email, /^deleted-\d+-[0-9a-f]{32}@deleted\.invalid$/)
    assert.deepEqual(await storedFiles(desk), files)
    await nothingNamesTheClient()
    assert.ok((await storedText(desk)).includes(canary))
    const fresh = await aClient(desk, { first_name: 'Deleted', last_name: 'client', is_active: false })
    assert.deepEqual(await differences(whole.client, fresh), [
      'email',
      'id',
      'password',
      'ticket_count',
      'ticket_letters',
      'version'
    ])
  })

  test('tells of every store what became of it', async () => {
    whole = await aWholeClient(desk)

    const { stores } = (await erase('anonymize')).data as { stores: Store[] }

    const { letters, guesses, ...removed } = countsOf(stores, 'removed')
    const { audit_log, ...kept } = countsOf(stores, 'kept')
    assert.deepEqual(removed, {
      sessions: 1,
      refresh_tokens: 1,
      login_challenges: 1,
      reset_tokens: 1,
      verification_codes: 3,
      recovery_codes: 10
    })
    assert.deepEqual(countsOf(stores, 'anonymized'), {
      clients: 1,
      client_words: 1,
      ticket_words: 2,
      ticket_messages: 3,
      ticket_events: 3
    })
    assert.deepEqual(kept, {
      message_words: 4,
      note_words: 1,
      tickets: 2,
      ticket_messages: 1,
      ticket_attachments: 3,
      ticket_notes: 1,
      files: 3
    })
    assert.ok(letters! >= 4 && guesses! >= 1 && audit_log! >= 1)
    for (const { store, kept, reason } of stores) if (kept > 0) assert.match(reason ?? '', /./, store)
  })

  test('leaves no way in, and the address to whoever comes next, who gets nothing of what was', async () => {
    whole = await aWholeClient(desk)
    const { client, email } = whole

    await erase('anonymize')

    const login = () => desk.post('/api/auth/login', undefined, { email, password: client.password })
    assert.equal((await login()).status, 401)
    assert.equal((await desk.post('/api/tickets/list', client)).status, 401)
    assert.equal((await desk.post('/api/auth/refresh', undefined, { refresh_token: client.refresh_token })).status, 401)
    assert.equal((await desk.post('/api/auth/forgot-password', undefined, { email })).status, 404)
    await desk.post('/api/auth/signup', undefined, {
      first_name: 'Zoe',
      last_name: 'New',
      email,
      password: client.password
    })
    const { token } = (await login()).data
    assert.equal((await desk.post('/api/tickets/list', { token })).data.total, 0)
    await desk.db.deleteFrom('clients').where('email', '=', email).execute()
  })

  test('is done once: nobody is put in the place of who was erased, but what is left can be deleted', async () => {
    whole = await aWholeClient(desk)
    await erase('anonymize')
    const { id } = whole.client
    const { email } = (await desk.post('/api/admin/clients/detail', admin, { id })).data.client

    const statuses = [
      (await desk.post('/api/admin/clients/update', admin, { id, email: whole.email, is_active: 1 })).status,
      (await desk.post('/api/admin/clients/send_reset', admin, { id })).status,
      (await erase('anonymize', { confirm_email: email })).status,
      (await erase('cascade', { confirm_email: email })).status
    ]

    assert.deepEqual(statuses, [409, 409, 409, 200])
  })
})

test('another address than the client’s, another mode, an old version and a client who is none erase nothing', async () => {
  whole = await aWholeClient(desk)
  const before = await desk.rowCounts()
  const files = await storedFiles(desk)

  const replies = [
    await erase('cascade', { confirm_email: admin.email }),
    await erase('everything'),
    await erase('cascade', { mode: undefined }),
    await erase('cascade', { expected_version: 999 }),
    await erase('anonymize', { id: 987_654 })
  ]

  assert.deepEqual(
    replies.map(reply => [reply.status, reply.body.errors]),
    [
      [400, ['confirm_email']],
      [400, ['mode']],
      [400, ['mode']],
      [409, ['expected_version']],
      [404, undefined]
    ]
  )
  assert.deepEqual(await desk.rowCounts(), before)
  assert.deepEqual(await storedFiles(desk), files)
})

test('the address confirms in any case; who erased and how much is recorded, and nothing of the person', async () => {
  whole = await aWholeClient(desk)

  const reply = await erase('cascade', { confirm_email: ` ${whole.email.toUpperCase()} ` })

  const entry = await desk.db
    .selectFrom('audit_log')
    .where('action', '=', 'client.deleted')
    .where('target_id', '=', whole.client.id)
    .select(['actor_id', 'before', 'after'])
    .executeTakeFirstOrThrow()
  assert.equal(reply.status, 200)
  assert.equal(entry.actor_id, admin.id)
  assert.deepEqual([entry.before, (entry.after as unknown as { tickets: number }).tickets], [null, 2])
})

test('letters to an address or number that another client has are the other’s', async () => {
  whole = await aWholeClient(desk)
  const neighbour = await aClient(desk, { phone_number: ofZebedee.phone_number })

  await erase('cascade')

  const letters = await desk.db.selectFrom('letters').select(['channel', 'recipient']).execute()
  assert.ok(letters.some(letter => letter.recipient === ofZebedee.phone_number))
  assert.ok(!letters.some(letter => letter.recipient === whole.email))
  await desk.db.deleteFrom('letters').where('channel', '=', 'text').execute()
  await desk.db.deleteFrom('clients').where('id', '=', neighbour.id).execute()
})

test('no table is forgotten: each is told of, or holds nothing of clients', async () => {
  const nothingOfClients = [
    'audit_head',
    'canned_replies',
    'client_counts',
    'department_members',
    'departments',
    'desk_settings',
    'kysely_migration',
    'kysely_migration_lock',
    'permissions',
    'search_state',
    'staff',
    'staff_permissions',
    'staff_reset_tokens',
    'tags'
  ]
  whole = await aWholeClient(desk)

  const { stores } = (await erase('cascade')).data as { stores: Store[] }

  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(desk.db)
  const told = stores.map(({ store }) => store).filter(store => store !== 'files')
  assert.deepEqual([...told, ...nothingOfClients].sort(), rows.map(({ name }) => name).sort())
})
