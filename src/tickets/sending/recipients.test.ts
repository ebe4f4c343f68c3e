import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { waitingReplies } from '../../../test/support/waiting-replies.ts'
import { recordUndelivered } from '../../mail/outbox/undeliverable-addresses.ts'

const desk = await bootDesk({
  connections: 4,
  config: { MAIL_FROM: 'Desk <noreply@desk.example>', MAIL_REPLY_TO: 'answers@desk.example' }
})
const ada = await aClient(desk, { is_email_verified: true })
const admin = await anAdmin(desk)
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
const { send, due, detail } = await waitingReplies(desk, { ada, grace, admin })
await desk.post('/api/admin/settings/update', admin, {
  mail_addresses: { 'support@desk.example': 1, 'billing@desk.example': 1, 'secret@desk.example': 5 }
})

let serial = 0
/** A ticket with two followers, whose client has heard that it has arrived. */
async function aFollowedTicket() {
  const { ticket_id: id } = await aTicket(desk, ada)
  const n = ++serial
  const [anton, berta] = [`anton.${n}@example.com`, `berta.${n}@example.com`]
  for (const email of [anton, berta]) {
    const added = await desk.post('/api/admin/tickets/followers/add', admin, { id, email })
    assert.ok(added.status < 300, added.body.message)
  }
  await mails()
  return { id, anton, berta, carl: `carl.${n}@example.com`, dora: `dora.${n}@example.com` }
}

async function mails() {
  desk.clock.turn(120)
  await desk.deliver()
  return desk.outbox.emails.splice(0).toSorted((one, other) => (one.to < other.to ? -1 : 1))
}

async function reply(body: object) {
  const sent = await send({ message: 'Try water.', ...body })
  assert.equal(sent.status, 201, sent.body.message)
  return sent
}

async function recipients(): Promise<string[]> {
  return (await mails()).map(({ to }) => to)
}

test('a given `cc` replaces the followers for this reply, and without one the next goes to today’s followers', async () => {
  const { id, anton, berta } = await aFollowedTicket()

  await reply({ id, cc: [anton] })
  const some = await recipients()
  await reply({ id })
  const all = await recipients()

  assert.deepEqual(some, [ada.email, anton].toSorted())
  assert.deepEqual(all, [ada.email, anton, berta].toSorted())
})

test('the client and those in copy see each other, nobody sees a blind copy, and each gets one e-mail', async () => {
  const { id, anton, carl, dora } = await aFollowedTicket()

  await reply({ id, cc: [anton, carl.toUpperCase(), carl], bcc: [dora, anton, ada.email] })
  const sent = await mails()

  assert.deepEqual(sent.map(({ to }) => to.toLowerCase()).toSorted(), [ada.email, anton, carl, dora].toSorted())
  for (const mail of sent) {
    assert.deepEqual([mail.shownTo, mail.shownCc?.map(address => address.toLowerCase())], [[ada.email], [anton, carl]])
    assert.equal(JSON.stringify({ ...mail, to: '' }).includes(dora), false)
  }
  assert.equal(new Set(sent.map(({ returnPath }) => returnPath)).size, sent.length)
})

test('new people in copy follow from then on, those for this answer only do not', async () => {
  const { id, anton, carl, dora } = await aFollowedTicket()

  await reply({ id, cc: [anton, carl], cc_once: [dora] })
  const first = await recipients()
  const { followers } = await detail(id)

  assert.ok(first.includes(carl) && first.includes(dora))
  const emails = followers.map(({ email }: { email: string }) => email)
  assert.deepEqual([emails.includes(carl), emails.includes(dora)], [true, false])
})

test('a client who is taken out of `to` gets nothing of this answer', async () => {
  const { id, anton, carl } = await aFollowedTicket()

  await reply({ id, to: [carl], cc: [anton] })
  const sent = await mails()

  assert.deepEqual(
    sent.map(({ to }) => to),
    [anton, carl]
  )
  assert.deepEqual([sent[0]!.shownTo, sent[0]!.shownCc], [[carl], [anton]])
})

test('a client who is named in copy gets the answer, whoever it is addressed to; a blind copy in their place is refused', async () => {
  const { id, anton, carl } = await aFollowedTicket()

  await reply({ id, to: [carl], cc: [ada.email, anton] })
  const sent = await recipients()
  const blind = await send({ id, message: 'No.', to: [carl], bcc: [ada.email] })

  assert.deepEqual(sent, [ada.email, anton, carl].toSorted())
  assert.deepEqual([blind.status, blind.body.errors], [400, ['bcc']])
})

test('a blind copy to a follower, written in other letters, is one e-mail', async () => {
  const { id, anton, berta } = await aFollowedTicket()

  await reply({ id, bcc: [anton.toUpperCase()] })

  assert.deepEqual((await recipients()).map(to => to.toLowerCase()).toSorted(), [ada.email, anton, berta].toSorted())
})

test('2: a domain written in both ways is one address', async () => {
  const { id } = await aFollowedTicket()

  await reply({
    id,
    cc: ['x@münchen.example'],
    bcc: ['X@xn--mnchen-3ya.example', 'y@xn--mnchen-3ya.example', 'y@münchen.example']
  })

  assert.deepEqual(await recipients(), [ada.email, 'x@münchen.example', 'y@xn--mnchen-3ya.example'].toSorted())
})

test('`from` chooses among the addresses of the desk', async () => {
  const { id } = await aFollowedTicket()

  await reply({ id, from: 'support@desk.example', cc: [] })
  const [mail] = await mails()

  assert.equal((mail!.from as { address: string }).address, 'support@desk.example')
  const other = await send({ id, message: 'No.', from: 'somebody@example.com' })
  assert.deepEqual([other.status, other.body.errors], [400, ['from']])
})

test('`from` is the usual address of the ticket or another of its department, as the console offers them', async () => {
  const { id } = await aFollowedTicket()
  const before = await desk.rowCounts()
  const { senders } = (await desk.post('/api/admin/tickets/recipients', grace, { id })).data

  const other = await send({ id, message: 'No.', from: 'secret@desk.example' })
  const macro = { id: 1, macro_id: 1, send: 1, from: 'secret@desk.example' }

  assert.equal(JSON.stringify(senders).includes('secret@'), false)
  assert.deepEqual([other.status, other.body.errors], [400, ['from']])
  assert.match(other.body.message, /from: secret@desk.example is not an address from which this ticket is answered/)
  assert.ok((await desk.post('/api/admin/macros/apply', grace, { ...macro, id })).status >= 400)
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal((await send({ id, message: 'Yes.', from: 'SUPPORT+x@desk.example', undo: 1 })).status, 201)
  await due()
  await mails()
})

test('whom e-mails do not reach, and programs, are refused by name, unless they follow already', async () => {
  const { id, anton, carl } = await aFollowedTicket()
  for (const email of [anton, carl])
    await recordUndelivered(
      desk.db,
      email,
      { status: '5.1.1', reason: 'no such address', isPermanent: true },
      new Date()
    )
  const before = await desk.rowCounts()

  for (const [field, address, why] of [
    ['cc', carl.toUpperCase(), /cc: CARL.* gets no e-mails \(no such address\)/],
    ['bcc', carl, /gets no e-mails/],
    ['to', carl, /gets no e-mails/],
    ['cc_once', carl, /gets no e-mails/],
    ['cc', 'no-reply@shop.example', /cc: no-reply@shop.example is of a program/],
    ['bcc', 'noreply+1@desk.example', /bcc: noreply\+1@desk.example is this desk/],
    ['cc', 'Answers@desk.example', /is this desk/]
  ] as const) {
    const refused = await send({ id, message: 'No.', [field]: [address] })
    assert.deepEqual([refused.status, refused.body.errors], [400, [field]], address)
    assert.match(refused.body.message, why)
    assert.equal((await desk.post('/api/admin/tickets/recipients', grace, { id, [field]: [address] })).status, 400)
  }
  assert.deepEqual(await desk.rowCounts(), before)
  await reply({ id, cc: [anton] })
  assert.deepEqual(await recipients(), [ada.email])
})

test('an address that no server takes is refused now, and not when the e-mail goes; who follows stays', async () => {
  const { id } = await aFollowedTicket()
  const odd = '"odd local"@people.example'
  await desk.db
    .insertInto('ticket_followers')
    .values({ ticket_id: id, email: odd, name: '', added_by: 'client', created_at: new Date() })
    .execute()
  const before = await desk.rowCounts()

  for (const address of [
    '"evil@attacker.example x"@y.example',
    '"a>b<evil@x.example"@y.example',
    'a@y.example%00',
    'a@y.example/x',
    'a@y.example#x',
    'a@-.example',
    'a@y'
  ]) {
    const refused = await send({ id, message: 'No.', cc: [address] })
    assert.deepEqual([refused.status, refused.body.errors], [400, ['cc']], address)
  }
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal((await send({ id, message: 'Yes.', cc: [odd, 'ü.x+y@bücher.example'] })).status, 201)
  await mails()
})

test('an entry that is no address, the desk’s own or of staff is refused by name, and nothing is written', async () => {
  const { id } = await aFollowedTicket()
  const before = await desk.rowCounts()

  for (const [field, address, why] of [
    ['cc', 'nobody', /cc: nobody is not an e-mail address/],
    ['bcc', 'Support+x@desk.example', /bcc: Support\+x@desk.example is this desk/],
    ['cc', grace.email, /of the staff/],
    ['to', 'a@b\r\nBcc: c@example.com', /to: /]
  ] as const) {
    const refused = await send({ id, message: 'No.', [field]: [address] })
    assert.deepEqual([refused.status, refused.body.errors], [400, [field]], address)
    assert.match(refused.body.message, why)
  }
  const many = await send({ id, message: 'No.', bcc: Array.from({ length: 51 }, (_, n) => `p${n}@example.com`) })
  assert.equal(many.status, 400)
  assert.deepEqual(await desk.rowCounts(), before)
})

test('the thread shows staff to whom a reply went; clients, events and their export never see a blind copy', async () => {
  const { id, anton, dora } = await aFollowedTicket()

  await reply({ id, cc: [anton], bcc: [dora] })
  await mails()

  const { messages } = await detail(id)
  assert.deepEqual(messages.at(-1).recipients.bcc, [dora])
  assert.deepEqual([messages.at(-1).recipients.cc, messages.at(-1).recipients.to_client], [[anton], 1])
  const own = await desk.post('/api/tickets/detail', ada, { id })
  const followers = await desk.post('/api/tickets/followers/list', ada, { id })
  const events = await desk.db.selectFrom('events').where('ticket_id', '=', id).select(['before', 'after']).execute()
  for (const seen of [own.body, followers.body, events]) assert.equal(JSON.stringify(seen).includes(dora), false)
})

test('recipients wait with a reply that can be taken back, come back with it, and get it when it goes', async () => {
  const { id, carl, dora } = await aFollowedTicket()

  const first = await reply({ id, undo: 1, cc: [carl], bcc: [dora] })
  const undone = await desk.post('/api/admin/tickets/reply/undo', grace, { id, message_id: first.data.message_id })
  const { reply: back } = undone.data
  assert.deepEqual([back.cc, back.bcc, back.to_client], [[carl], [dora], 1])
  assert.equal((await detail(id)).followers.length, 2)

  await reply({ id, undo: 1, cc: [carl], bcc: [dora] })
  await due()
  assert.deepEqual(await recipients(), [ada.email, carl, dora].toSorted())
})

test('the signature stands below e-mails in the reader’s language with names filled in and escaped, and not in the thread', async () => {
  const { id, anton } = await aFollowedTicket()
  await desk.db.updateTable('staff').set({ first_name: '<b>Grace' }).where('id', '=', grace.id).execute()
  const texts = { en: 'Kind regards\n{{staff.first_name}} {{staff.last_name}}', de: 'Viele Grüße' }
  const changed = await desk.post('/api/account/signature/update', grace, { texts })
  assert.deepEqual([changed.status, changed.data.signature.texts], [200, texts])
  assert.deepEqual((await desk.post('/api/account/signature', grace, {})).data.signature.texts, texts)

  await reply({ id, cc: [anton] })
  const [one] = await mails()
  assert.match(one!.text, /Try water\.\n\nKind regards\n<b>Grace /)
  assert.match(one!.html, /Kind regards<br>\n&#60;b&#62;Grace/)
  assert.equal((await detail(id)).messages.at(-1).message, 'Try water.')
  await desk.db.updateTable('clients').set({ language: 'de' }).where('id', '=', ada.id).execute()
  await reply({ id, cc: [] })
  assert.match((await mails())[0]!.text, /Viele Grüße/)
  await reply({ id, cc: [], signature: 'none' })
  assert.doesNotMatch((await mails())[0]!.text, /Viele Grüße/)

  const unknown = await desk.post('/api/account/signature/update', grace, { texts: { en: '{{ticket.number}}' } })
  const language = await desk.post('/api/account/signature/update', grace, { texts: { fr: 'Merci' } })
  assert.deepEqual([unknown.status, unknown.body.errors, language.status], [400, ['texts'], 400])
})
