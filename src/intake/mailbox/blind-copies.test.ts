import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deskWithFollowers, replyTo } from '../../../test/support/desk-with-followers.ts'
import { aMail } from '../../../test/support/mails.ts'

const { desk, server, receive, admin, detail, answeredWith, opened } = await deskWithFollowers()

test('3: who got a blind copy and answers it stays unseen: the answer is a ticket of its own that names this one', async () => {
  const { client, id, number } = await opened('karl@example.org')
  await answeredWith(id)
  server.emails.length = 0
  const blind = { id, message: 'And sand?', bcc: ['bea@example.org'] }
  assert.equal((await desk.post('/api/admin/tickets/reply', admin, blind)).status, 201)
  await desk.deliver()
  const copy = server.emails.find(({ to }) => to.includes('bea@example.org'))!
  const before = (await detail(id)).messages.length

  const answers = [
    await receive(aMail({ From: 'bea@example.org', 'In-Reply-To': copy.email.messageId! })),
    await receive(aMail({ From: 'bea.elsewhere@example.org', References: copy.email.messageId! })),
    await receive(aMail({ From: 'bea@example.org', Subject: `Re: [${number}] The printer` })),
    await receive(
      aMail({ From: 'bea@example.org', To: copy.from, 'Auto-Submitted': 'auto-replied', Subject: 'I am away' })
    )
  ]
  const ofKarl = await receive(aMail({ From: 'karl@example.org', References: copy.email.messageId! }))

  assert.deepEqual(
    answers.map(({ outcome, ticket_id }) => [outcome, ticket_id === id]),
    answers.map(() => ['ticket', false])
  )
  const linked = (await detail(answers[0]!.ticket_id)).messages[0].email.linked_ticket
  assert.equal(linked.ticket_number, number)
  assert.deepEqual([ofKarl.outcome, ofKarl.ticket_id], ['reply', id])
  assert.equal((await detail(id)).messages.length, before + 1)
  for (const path of ['/api/tickets/detail', '/api/tickets/followers/list'])
    assert.equal(JSON.stringify((await desk.post(path, client, { id })).body).includes('bea'), false)
})

test('3: who only got a blind copy stays unseen also where nothing but a signed address of others leads to the ticket', async () => {
  const { client, id, number } = await opened('karl@example.org')
  const taken = await answeredWith(id)
  const { id: into } = await opened('lars@example.org', client)
  await desk.post('/api/admin/tickets/reply', admin, { id, message: 'And sand?', bcc: ['Bea@blind.example'] })
  await desk.deliver()
  const before = (await detail(id)).messages.length
  const [toClient, toKarl] = [client.email, 'karl@example.org'].map(email => replyTo(taken.get(email)))

  const answers = [
    await receive(aMail({ From: 'bea@blind.example', To: toClient!, Cc: 'friend@blind.example' })),
    await receive(aMail({ From: 'bea@blind.example', To: `karl@example.org, ${toKarl}` }))
  ]
  const { messages } = await detail(id)
  await desk.post('/api/admin/tickets/merge', admin, { id, into_id: into })
  answers.push(await receive(aMail({ From: 'bea@blind.example', To: toClient! })))
  // Whoever got no blind copy writes in the ticket by its address as before.
  const other = await receive(aMail({ From: 'eve@other.example', To: toClient! }))

  for (const { outcome, ticket_id } of answers) {
    assert.deepEqual([outcome, [id, into].includes(ticket_id!)], ['ticket', false])
    const linked = (await detail(ticket_id)).messages[0].email.linked_ticket
    assert.ok([number, (await detail(into)).ticket.ticket_number].includes(linked.ticket_number))
  }
  assert.equal(messages.length, before)
  assert.deepEqual([other.outcome, other.ticket_id], ['reply', into])
  assert.equal(
    JSON.stringify((await desk.post('/api/tickets/detail', client, { id: into })).body).includes('bea'),
    false
  )
})

test('3: so they do where their mail program writes the domain in the other way', async () => {
  const { client, id } = await opened('karl@example.org')
  const toClient = replyTo((await answeredWith(id)).get(client.email))
  await desk.post('/api/admin/tickets/reply', admin, { id, message: 'And sand?', bcc: ['bea@münchen.example'] })
  await desk.deliver()

  const answer = await receive(aMail({ From: 'bea@xn--mnchen-3ya.example', To: toClient }))

  assert.deepEqual([answer.outcome, answer.ticket_id === id], ['ticket', false])
})
