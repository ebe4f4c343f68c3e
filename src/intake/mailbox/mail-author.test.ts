import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'

const desk = await bootDesk({ connections: 5 })
const receive = receiverOf(desk)
const admin = await anAdmin(desk)

const detail = async (id: number | undefined) => (await desk.post('/api/admin/tickets/detail', admin, { id })).data

test('a client whose domain has other letters than ASCII is known by either way to write it, and answers their ticket', async () => {
  const ada = await aClient(desk, { email: 'ada@münchen.example', is_email_verified: true })
  const eve = await aClient(desk, { email: 'eve@xn--mnchen-3ya.example', is_email_verified: true })

  const opened = await receive(aMail({ From: 'Ada <ADA@xn--mnchen-3ya.example>' }))
  const other = await receive(aMail({ From: 'Eve <eve@münchen.example>' }))

  assert.equal((await detail(opened.ticket_id)).ticket.client.id, ada.id)
  assert.equal((await detail(other.ticket_id)).ticket.client.id, eve.id)
  const subject = `Re: [${opened.ticket_number}]`
  const reply = await receive(aMail({ From: 'ada@xn--mnchen-3ya.example', Subject: subject }, 'It is out.\n'))
  assert.equal(reply.ticket_id, opened.ticket_id)
})

test('of two accounts whose addresses differ in the way to write the domain alone, each has its own e-mails', async () => {
  const one = await aClient(desk, { email: 'bo@köln.example', is_email_verified: true })
  const two = await aClient(desk, { email: 'bo@xn--kln-sna.example', is_email_verified: true })

  const mails = [
    await receive(aMail({ From: 'bo@köln.example' })),
    await receive(aMail({ From: 'bo@xn--kln-sna.example' }))
  ]

  const clients = await Promise.all(mails.map(async ({ ticket_id }) => (await detail(ticket_id)).ticket.client.id))
  assert.deepEqual(clients, [one.id, two.id])
})

test('a domain that only a URL’s parser takes for the client’s is a stranger’s', async () => {
  const ada = await aClient(desk, { email: 'ada@bank.example', is_email_verified: true })

  for (const domain of [
    'bank.example/.attacker.example',
    'bank.example#.attacker.example',
    'bank.example?x',
    'b%61nk.example',
    'ｂank.example',
    'ba\u00adnk.example',
    'bank。example'
  ]) {
    const { ticket_id } = await receive(aMail({ From: `Ada <ada@${domain}>`, To: 'support@desk.example' }))
    assert.notEqual(ticket_id && (await detail(ticket_id)).ticket.client.id, ada.id, domain)
  }
})
