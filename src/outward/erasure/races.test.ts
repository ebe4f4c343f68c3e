import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { erase } from '../../../test/support/erasure.ts'
import { untilLockWait } from '../../../test/support/lock-waits.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'
import { aFile, aTicket, form, storedFiles } from '../../../test/support/tickets.ts'
import type { ClientActor } from '../../core/actor.ts'
import { system } from '../../core/actor.ts'
import { transaction } from '../../core/db.ts'
import { jobHandlers } from '../../job-handlers.ts'
import { openTicket } from '../../tickets/threads/open-ticket.ts'
import { replyToTicket } from '../../tickets/threads/reply-to-ticket.ts'
import { withClientDataLocked } from './lock-client-data.ts'

const desk = await bootDesk({ connections: 10 })
const admin = await anAdmin(desk)
const caller = { ip: '192.0.2.7', requestId: 'race', userAgent: 'test' }

const newTicket = { deptid: 1, subject: 'Fire', priority: 'Medium' } as const

const opening = { department_id: 1, subject: 'Fire', message: 'Still burning.' }

function open(client: Person) {
  return desk.post('/api/tickets/create', client, form(opening, aFile('a.txt'), aFile('b.txt')))
}

function actorOf(client: Person): ClientActor {
  const { id, first_name: firstName, last_name: lastName, email } = client
  return { population: 'client', id, firstName, lastName, email }
}

test('what is being uploaded while its client is deleted is refused, and leaves no file', async () => {
  const ada = await aClient(desk)
  const before = await storedFiles(desk)

  const { opened } = await withClientDataLocked(desk.services, system, ada.id, async ({ db }) => {
    const opened = open(ada)
    await untilLockWait(desk)
    await db.deleteFrom('clients').where('id', '=', ada.id).execute()
    return { opened }
  })

  assert.equal((await opened).status, 401)
  assert.deepEqual(await storedFiles(desk), before)
})

test('a deletion waits for an upload that came first, and takes its files with it', async () => {
  const ada = await aClient(desk)
  const before = await storedFiles(desk)
  const { ticket_id } = await aTicket(desk, ada)
  const [stored, kept] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { files } = desk.services
  const late = { fileName: 'late.txt', fileType: 'text/plain' }
  const staged = await files.stage(Readable.from(['late']), late, { maxBytes: 100 })
  const slow = {
    ...desk.services,
    files: {
      ...files,
      async keep(uploads: Parameters<typeof files.keep>[0]) {
        await files.keep(uploads)
        stored.resolve()
        await kept.promise
      }
    }
  }

  const reply = replyToTicket(slow, actorOf(ada), caller, ticket_id, { message: 'Look!', files: [staged] })
  await stored.promise
  const erased = erase(desk, admin, ada, 'cascade')
  await untilLockWait(desk)
  kept.resolve()

  await reply
  const { status, data } = await erased
  const counts = Object.fromEntries(
    data.stores.map((each: { store: string; removed: number }) => [each.store, each.removed])
  )
  assert.deepEqual([status, counts.ticket_messages, counts.files], [200, 2, 1])
  assert.deepEqual(await storedFiles(desk), before)
})

test('however uploads, replies, logins and a deletion race, nothing of the client is left and nobody meets a fault', async () => {
  const before = { rows: await clientRows(), files: await storedFiles(desk) }
  for (let round = 0; round < 4; round++) {
    const ada = await aClient(desk)
    const { ticket_id: id } = await aTicket(desk, ada)
    const reply = (asker: Person) =>
      desk.post('/api/tickets/reply', asker, form({ id, message: 'More' }, aFile('c.txt')))
    const login = () => desk.post('/api/auth/login', undefined, { email: ada.email, password: ada.password })
    const refresh = () => desk.post('/api/auth/refresh', undefined, { refresh_token: ada.refresh_token })

    const [erased, ...others] = await Promise.all([
      erase(desk, admin, ada, 'cascade'),
      open(ada),
      reply(ada),
      login(),
      refresh(),
      open(ada),
      reply(admin),
      reply(ada),
      desk.post('/api/auth/forgot-password', undefined, { email: ada.email }),
      desk.post('/api/tickets/status', admin, { id, status: 'Closed' })
    ])

    assert.equal(erased!.status, 200)
    for (const { status, body } of others) assert.ok([200, 201, 401, 404].includes(status), JSON.stringify(body))
  }

  assert.deepEqual(await clientRows(), before.rows)
  assert.deepEqual(await storedFiles(desk), before.files)
})

test('a ticket that is being opened while its client is anonymized is anonymized too', async () => {
  const ada = await aClient(desk, { first_name: 'Zebedee' })

  const { erased, id } = await transaction(desk.db, async db => {
    const inside = { ...desk.services, db }
    const opened = await openTicket(inside, actorOf(ada), caller, { ...newTicket, message: 'In flight', files: [] })
    const erased = erase(desk, admin, ada, 'anonymize')
    await untilLockWait(desk)
    return { erased, id: opened.ticket_id }
  })

  assert.equal((await erased).status, 200)
  const [message] = await desk.db
    .selectFrom('ticket_messages')
    .where('ticket_id', '=', id)
    .select('sender_first_name')
    .execute()
  assert.deepEqual(message, { sender_first_name: 'Deleted' })
})

test('of two deletions at once one finds the client', async () => {
  const ada = await aClient(desk)

  const replies = await Promise.all([erase(desk, admin, ada, 'cascade'), erase(desk, admin, ada, 'cascade')])

  assert.deepEqual(replies.map(each => each.status).sort(), [200, 404])
})

test('what a request still wrote under the former name, or to the former address, the hourly sweep goes over once more', async () => {
  const ada = await aClient(desk, { first_name: 'Zebedee' })
  const { ticket_id } = await aTicket(desk, ada)
  await erase(desk, admin, ada, 'anonymize')
  await replyToTicket(desk.services, actorOf(ada), caller, ticket_id, { message: 'Late', files: [] })
  const message = { channel: 'mail', client_id: ada.id, sealed_content: 'x' } as const
  await desk.db
    .insertInto('outbox_messages')
    .values([
      { ...message, kind: 'email-code', recipient: ada.email },
      { ...message, kind: 'staff-ticket', recipient: admin.email }
    ])
    .execute()

  await jobHandlers(desk.services).sweep({}, { number: 1, isLast: false })

  const messages = await desk.db
    .selectFrom('ticket_messages')
    .where('ticket_id', '=', ticket_id)
    .select(['sender_first_name', 'message'])
    .orderBy('id')
    .execute()
  const events = await desk.db
    .selectFrom('events')
    .where('ticket_id', '=', ticket_id)
    .select(['actor_name', 'ip_address'])
    .execute()
  const queued = await desk.db
    .selectFrom('outbox_messages')
    .where('client_id', '=', ada.id)
    .select('recipient')
    .execute()
  assert.deepEqual(queued, [{ recipient: admin.email }])
  assert.deepEqual(messages, [
    { sender_first_name: 'Deleted', message: 'Please hurry.' },
    { sender_first_name: 'Deleted', message: 'Late' }
  ])
  assert.deepEqual(
    new Set(events.map(each => `${each.actor_name} ${each.ip_address}`)),
    new Set(['Deleted client null'])
  )
})

async function clientRows(): Promise<Record<string, number>> {
  const counts = await desk.rowCounts()
  const {
    audit_log: _,
    events: _events,
    event_places: _places,
    outbox_messages: __,
    mail_log: _mails,
    ...rows
  } = counts
  return rows
}
