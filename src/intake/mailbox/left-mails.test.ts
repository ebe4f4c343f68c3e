import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { mailReader } from '../../platform/mail-reading/mail-reader.ts'
import { processPending } from './keep-processing.ts'
import { processMail } from './process-mail.ts'
import { storeMail } from './store-mail.ts'
import { sweepMails } from './sweep-mails.ts'

const desk = await bootDesk({ connections: 6 })
const receive = receiverOf(desk)
const reader = mailReader()
after(() => reader.close())
const services = { ...desk.services, mailReader: reader }

/** Stores a mail and does no more, as a process that is killed. */
async function left(raw: string): Promise<number> {
  return (await storeMail(services, { raw: Readable.from([Buffer.from(raw)]), via: 'command' })).id
}

async function stateOf(id: number) {
  return await desk.db
    .selectFrom('inbound_mails')
    .where('id', '=', id)
    .select(['state', 'reason', 'ticket_id', 'attempts'])
    .executeTakeFirstOrThrow()
}

test('a mail whose process died after it was stored is settled by others, once', async () => {
  const id = await left(aMail({ From: 'left@example.com' }))

  const early = await processPending(services)
  desk.clock.turn(60)
  await Promise.all([processPending(services), processPending(services), processMail(services, { id })])

  assert.equal(early, 0)
  assert.equal((await stateOf(id)).state, 'ticket')
  const tickets = await desk.db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('clients.email', '=', 'left@example.com')
    .select('tickets.id')
    .execute()
  assert.equal(tickets.length, 1)
})

test('where the mail server hands it over again, it is settled then and told as what it became', async () => {
  const mail = aMail({ From: 'again@example.com' })
  await left(mail)

  const [again, once] = [await receive(mail), await receive(mail)]

  assert.deepEqual([again.outcome, once.outcome], ['ticket', 'duplicate'])
})

test('what cannot be read is held with its raw message, and nothing else is written but that it is', async () => {
  const nested = Array.from({ length: 200 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`)
  const head = 'From: ada@example.com\nMessage-ID: <deep@example.com>\n'
  const before = await desk.rowCounts()

  const receipt = await receive(head + nested.join(''))

  const { inbound_mails, ticket_attachments, events, event_places: _, mail_log, ...others } = await desk.rowCounts()
  assert.deepEqual([receipt.outcome, receipt.reason], ['held', 'nested_too_deeply'])
  assert.deepEqual([inbound_mails, ticket_attachments], [before.inbound_mails! + 1, before.ticket_attachments! + 1])
  assert.deepEqual([events, mail_log], [before.events! + 1, before.mail_log! + 1])
  assert.deepEqual(others, Object.fromEntries(Object.keys(others).map(name => [name, before[name]])))
})

test('a mail that fails each time is held in the end', async () => {
  const id = await left(aMail())
  await desk.db.updateTable('inbound_mails').set({ attempts: 5 }).where('id', '=', id).execute()

  await processMail(services, { id })

  const { state, reason } = await stateOf(id)
  assert.deepEqual([state, reason], ['held', 'failed_repeatedly'])
})

test('raw messages go after their time; what is held stays', async () => {
  const { ticket_id } = await receive(aMail({ From: 'old@example.com' }))
  const held = await receive(aMail({ From: 'nobody' }))
  const rawOf = async () => {
    const files = await desk.db.selectFrom('ticket_attachments').where('mail_id', 'is not', null).select('id').execute()
    return files.length
  }
  desk.clock.turn(91 * 86_400)

  await sweepMails(services)

  assert.equal(held.outcome, 'held')
  const open = await desk.db.selectFrom('inbound_mails').where('state', '=', 'held').select('id').execute()
  assert.equal(await rawOf(), open.length)
  const kept = await desk.db.selectFrom('inbound_mails').where('ticket_id', '=', ticket_id!).select('id').execute()
  assert.equal(kept.length, 1)
})

test('a mail whose checks end early leaves no file open', async () => {
  const streams: Readable[] = []
  const open: typeof services.files.open = async (...which) => {
    const opened = await services.files.open(...which)
    if (opened) streams.push(opened.stream)
    return opened
  }
  const head = aMail({ From: 'ada@example.com', 'DKIM-Signature': 'v=1', 'X-Long': 'x'.repeat(300_000) })
  const id = await left(`${head}\n${randomBytes(3_000_000).toString('base64')}\n`)

  await processMail({ ...services, files: { ...services.files, open } }, { id })

  const states = streams.map(({ destroyed }) => destroyed)
  assert.deepEqual(states, [true, true])
})
