import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aMail, receiverOf } from '../../../../test/support/mails.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { assign } from '../../../../test/support/tickets.ts'
import { sweepMails } from '../sweep-mails.ts'

const desk = await bootDesk({ connections: 6, config: { NOTIFICATION_DELAY_SECONDS: 0, MAX_MAILS_PER_SENDER: 0 } })
const receive = receiverOf(desk)
const admin = await anAdmin(desk)

const post = async (path: string, body: object = {}, by: Person = admin) =>
  await desk.post(`/api/admin/mail/${path}`, by, body)
const settings = async (body: object) => await desk.post('/api/admin/settings/update', admin, body)
/** As often as the clock was turned, sessions are over. */
const settingsOfToday = async (body: object) => await desk.post('/api/admin/settings/update', await anAdmin(desk), body)
const from = async (address: string) => await receive(aMail({ From: address }))

async function lastMail(): Promise<number> {
  const mails = desk.db.selectFrom('inbound_mails').select('id').orderBy('id', 'desc').limit(1)
  return (await mails.executeTakeFirstOrThrow()).id
}

async function fetched(path: string, by?: Person) {
  return await fetch(desk.url + path, { headers: by ? { authorization: `Bearer ${by.token}` } : {} })
}

test('mails of a blocked address are dropped without notice, whatever stands behind its plus, until it is unblocked', async () => {
  const { status, data } = await post('blocked/add', { sender: 'Spam+one@Spam.example' })
  desk.outbox.emails.length = 0

  const receipts = [await from('spam@spam.example'), await from('SPAM+two@spam.example')]

  assert.deepEqual([status, data.sender.sender, data.sender.blocked_by.id], [201, 'spam@spam.example', admin.id])
  for (const { outcome, reason, ticket_id } of receipts)
    assert.deepEqual([outcome, reason, ticket_id], ['dropped', 'blocked_sender', undefined])
  assert.equal((await from('other@spam.example')).outcome, 'ticket')
  assert.deepEqual(
    (await desk.deliver()).emails.filter(({ to }) => /^spam/i.test(to)),
    []
  )
  assert.equal((await post('blocked/add', { sender: 'spam@spam.example' })).body.reason, 'sender_already_blocked')
  await post('blocked/remove', { id: data.sender.id })
  assert.equal((await from('spam@spam.example')).outcome, 'ticket')
})

test('a domain is blocked with those below it, by admins alone; a report from there that we did not ask for is dropped as well', async () => {
  const supporter = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  assert.equal((await post('blocked/add', { sender: '@bulk.example' }, supporter)).status, 403)
  const { data } = await post('blocked/add', { sender: '@Bulk.example' })

  assert.equal((await from('a@bulk.example')).reason, 'blocked_sender')
  assert.equal((await from('a@news.bulk.example')).reason, 'blocked_sender')
  assert.equal((await from('a@notbulk.example')).outcome, 'ticket')
  const report = 'multipart/report; report-type=delivery-status; boundary=x'
  const bounce =
    '--x\n\nNo.\n--x\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; a@b.example\nAction: failed\nStatus: 5.1.1\n--x--\n'
  const receipt = await receive(aMail({ From: 'mailer-daemon@bulk.example', 'Content-Type': report }, bounce))
  assert.equal(receipt.reason, 'blocked_sender')
  assert.equal((await post('blocked/remove', { id: data.sender.id }, supporter)).status, 403)
  for (const sender of ['nobody', '@', 'a b@c.example', '@nodot', 'a@b.example\n', '<a@b.example>']) {
    assert.equal((await post('blocked/add', { sender })).status, sender === 'a@b.example\n' ? 201 : 400, sender)
  }
})

test('who blocks a sender may discard what is held of them', async () => {
  await settings({ mail_unknown_senders: 'hold' })
  for (const address of ['x@wave.example', 'x+1@wave.example', 'y@sub.wave.example', 'z@wave.example.org'])
    assert.equal((await from(address)).outcome, 'held')

  const one = await post('blocked/add', { sender: 'x@wave.example', discard_held: 1 })
  const all = await post('blocked/add', { sender: '@wave.example', discard_held: true })

  assert.deepEqual([one.data.discarded, all.data.discarded], [2, 1])
  assert.equal((await post('held/list', { search: 'wave.example' })).data.total, 1)
})

test('the original is fetched by whoever sees the ticket, or the held mail, and by no one else', async () => {
  await settings({ mail_unknown_senders: 'create' })
  const client = await aClient(desk)
  const raw = aMail({ From: client.email, Subject: 'Caf\u00e9' }, '<script>alert(1)</script>')
  const { ticket_id } = await receive(raw)
  const ofTicket = `/uploads/mails/${await lastMail()}.eml`
  await settings({ mail_unknown_senders: 'hold' })
  await from('unknown@far.example')
  const held = await lastMail()
  const [blind, assigned] = [await aSupporter(desk, 'tickets.reply'), await aSupporter(desk, 'tickets.reply')]
  await assign(desk, ticket_id!, assigned.id)

  const file = await fetched(ofTicket, assigned)

  assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(raw))
  const header = (name: string) => file.headers.get(name)
  assert.deepEqual([header('content-type'), header('x-content-type-options')], ['message/rfc822', 'nosniff'])
  assert.match(header('content-disposition')!, /^attachment; filename="e-mail-\d+\.eml"/)
  assert.match(header('content-security-policy')!, /sandbox/)
  for (const by of [client, blind, undefined]) assert.equal((await fetched(ofTicket, by)).status, 404)
  assert.equal((await fetched(`/uploads/mails/${held}.eml`, admin)).status, 200)
  for (const by of [client, assigned, undefined])
    assert.equal((await fetched(`/uploads/mails/${held}.eml`, by)).status, 404)
  for (const path of ['0.eml', '1', '1.eml.gz', '99999999999999999999.eml', '999999.eml'])
    assert.equal((await fetched(`/uploads/mails/${path}`, admin)).status, 404, path)
  const { url } = (await post('original-link', { id: held })).data
  assert.equal((await fetched(new URL(url).pathname + new URL(url).search)).status, 200)
  assert.equal((await post('original-link', { id: held }, assigned)).status, 404)
})

test('held mails go with the person who wrote them, also where nobody could read them', async () => {
  await settings({ mail_unknown_senders: 'hold' })
  const client = await aClient(desk)
  await desk.db.updateTable('clients').set({ is_active: false }).where('id', '=', client.id).execute()
  await from(client.email)
  const readable = await lastMail()
  const deep = Array.from({ length: 80 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`).join(
    ''
  )
  await receive(aMail({ From: client.email, 'Content-Type': 'multipart/mixed; boundary=b' }, `--b\n${deep}`))
  const unreadable = await lastMail()
  await receive(aMail({ From: null }), { sender: client.email })
  const byEnvelope = await lastMail()
  await post('blocked/add', { sender: client.email })

  const exported = await desk.db.selectFrom('inbound_mails').select('sender').where('id', '=', unreadable).execute()
  const { status } = await desk.post('/api/admin/clients/delete', admin, {
    id: client.id,
    mode: 'anonymize',
    confirm_email: client.email
  })

  assert.deepEqual([exported[0]!.sender, status], [client.email, 200])
  for (const id of [readable, unreadable, byEnvelope])
    assert.equal((await post('held/detail', { id })).status, 404, `${id}`)
  assert.equal((await post('blocked/list', { search: client.email })).data.total, 0)
})

test('that a mail is held is an event for those who see all tickets, and one e-mail a day to the admins', async () => {
  await settingsOfToday({ mail_unknown_senders: 'hold' })
  desk.clock.turn(2 * 86_400)
  const [onlooker, blind] = [await aSupporter(desk, 'tickets.view_all'), await aSupporter(desk, 'tickets.reply')]
  await desk.deliver()
  desk.outbox.emails.length = 0

  for (const address of ['p@far.example', 'q@far.example']) await from(address)
  const { emails } = await desk.deliver()
  const kinds = async (by: Person) =>
    (await desk.post('/api/admin/events/list', by, { kinds: ['mail.held'], limit: 1000 })).data.events.length

  assert.equal(emails.filter(({ to, text }) => to === admin.email && text.includes('/desk/mail/held')).length, 1)
  assert.ok(emails.every(({ text }) => !text.includes('far.example')))
  assert.ok((await kinds(onlooker)) >= 2)
  assert.equal(await kinds(blind), 0)
})

test('of what was discarded the original goes after two days; what is held stays', async () => {
  await settingsOfToday({ mail_unknown_senders: 'hold' })
  await from('r@far.example')
  const discarded = await lastMail()
  await from('s@far.example')
  const held = await lastMail()
  await post('held/delete', { ids: [discarded] }, await anAdmin(desk))
  const status = async (id: number) => (await fetched(`/uploads/mails/${id}.eml`, await anAdmin(desk))).status

  await sweepMails(desk.services)
  assert.deepEqual([await status(discarded), await status(held)], [200, 200])
  desk.clock.turn(2 * 86_400 + 1)
  await sweepMails(desk.services)
  assert.deepEqual([await status(discarded), await status(held)], [404, 200])
  desk.clock.turn(400 * 86_400)
  await sweepMails(desk.services)
  assert.equal(await status(held), 200)
})
