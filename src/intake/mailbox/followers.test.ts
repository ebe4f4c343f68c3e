import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deskWithFollowers, replyTo } from '../../../test/support/desk-with-followers.ts'
import { aMail } from '../../../test/support/mails.ts'

const { desk, receive, admin, detail, answeredWith, opened } = await deskWithFollowers()

async function followers(ticket: number | undefined): Promise<{ id: number; email: string; name: string }[]> {
  return (await detail(ticket)).followers
}

const emailsOf = async (ticket: number | undefined) => (await followers(ticket)).map(({ email }) => email)

test('whoever was in Cc gets the answers, and what they answer comes into the thread as theirs', async () => {
  const { client, id } = await opened(
    '"Hopper, Grace" <grace.h@example.org>, SUPPORT@desk.example, noreply@example.org'
  )

  const [follower] = await followers(id)
  const taken = await answeredWith(id)
  const toGrace = taken.get('grace.h@example.org')
  await desk.post('/api/admin/tickets/note', admin, { id, note: 'She is loud.' })
  const reply = await receive(
    aMail(
      { From: 'Grace Hopper <grace.h@example.org>', To: replyTo(toGrace), Subject: 'Something else' },
      'It is wet.\n'
    )
  )

  assert.deepEqual(await emailsOf(id), ['grace.h@example.org'])
  assert.deepEqual([follower!.name, taken.size], ['Hopper, Grace', 2])
  assert.match(toGrace!.text!, /Have you tried water\?/)
  assert.match(replyTo(toGrace), /^support\+f\d+-[0-9a-f]{20}@desk\.example$/)
  assert.notEqual(replyTo(toGrace), replyTo(taken.get(client.email)))
  assert.deepEqual([reply.outcome, reply.ticket_id], ['reply', id])
  const { messages, ticket } = await detail(id)
  const last = messages.at(-1)
  assert.deepEqual([last.message, last.first_name, last.last_name], ['It is wet.', 'Grace', 'Hopper'])
  assert.deepEqual([last.email.from.email, ticket.status], ['grace.h@example.org', 'Customer-Reply'])
  const stored = await desk.db.selectFrom('ticket_messages').where('id', '=', last.id).select('client_id').execute()
  assert.deepEqual(stored, [{ client_id: null }])
  const seen = (await desk.post('/api/tickets/detail', client, { id })).data
  assert.deepEqual(Object.keys(seen).toSorted(), ['messages', 'ticket'])
})

test('whoever was removed gets nothing more, and their answers become a ticket of their own that names this one', async () => {
  const { client, id, number } = await opened('rosa@example.org, karl@example.org')
  const first = await answeredWith(id)
  const [rosa] = await followers(id)

  const removed = await desk.post('/api/tickets/followers/remove', client, { id, follower_id: rosa!.id })
  const again = await desk.post('/api/tickets/followers/remove', client, { id, follower_id: rosa!.id })
  const second = await answeredWith(id, 'And sand?')
  const email = first.get('rosa@example.org')!
  const receipts = [
    await receive(aMail({ From: 'rosa@example.org', To: replyTo(email) })),
    await receive(aMail({ From: 'rosa@example.org', 'In-Reply-To': email.messageId! })),
    await receive(aMail({ From: 'rosa@example.org', Subject: `Re: [${number}] The printer` })),
    await receive(aMail({ From: 'rosa.elsewhere@example.org', To: replyTo(email) }))
  ]
  // In a mail of a follower, Cc adds nobody.
  const byKarl = await receive(
    aMail({ From: 'karl@example.org', To: replyTo(second.get('karl@example.org')), References: email.messageId! })
  )
  // A mail of the client that names her does not add her again; staff do.
  const toClient = replyTo(second.get(client.email))
  await receive(aMail({ From: client.email, To: toClient, Cc: 'rosa@example.org' }))

  assert.deepEqual([removed.status, removed.data.followers.length, again.status], [200, 1, 404])
  assert.deepEqual([...second.keys()].toSorted(), [client.email, 'karl@example.org'].toSorted())
  for (const receipt of receipts) assert.equal(receipt.outcome, 'ticket', JSON.stringify(receipt))
  const linked = (await detail(receipts[1]!.ticket_id)).messages[0].email.linked_ticket
  assert.equal(linked.ticket_number, number)
  assert.deepEqual([byKarl.outcome, byKarl.ticket_id], ['reply', id])
  assert.deepEqual(await emailsOf(id), ['karl@example.org'])
  await desk.post('/api/admin/tickets/followers/add', admin, { id, email: 'ROSA@example.org' })
  assert.deepEqual(await emailsOf(id), ['rosa@example.org', 'karl@example.org'])
})

test('2: who was removed does not come back by a Reply-All that writes the domain in the other way, nor follows twice', async () => {
  const { client, id, number } = await opened('rosa@münchen.example, karl@münchen.example, karl@xn--mnchen-3ya.example')
  assert.deepEqual(await emailsOf(id), ['rosa@münchen.example', 'karl@münchen.example'])
  const [rosa] = await followers(id)
  await desk.post('/api/admin/tickets/followers/remove', admin, { id, follower_id: rosa!.id })
  const toClient = replyTo((await answeredWith(id)).get(client.email))

  const cc = 'rosa@xn--mnchen-3ya.example, KARL@XN--MNCHEN-3YA.example, ida@xn--mnchen-3ya.example, Ida@münchen.example'
  await receive(aMail({ From: client.email, To: toClient, Cc: cc }))

  assert.deepEqual(await emailsOf(id), ['karl@münchen.example', 'ida@xn--mnchen-3ya.example'])
  const answer = await receive(aMail({ From: 'rosa@xn--mnchen-3ya.example', To: toClient }))
  assert.deepEqual([answer.outcome, answer.ticket_id === id], ['ticket', false])
  const subject = `Re: [${number}]`
  const ofKarl = await receive(aMail({ From: 'karl@xn--mnchen-3ya.example', Subject: subject }))
  assert.deepEqual([ofKarl.outcome, ofKarl.ticket_id], ['reply', id])
})

test('only the client and who follows bring others in, by a mail that belongs to the ticket by our signature', async () => {
  const { client, id, number } = await opened('one@example.org')
  const taken = await answeredWith(id)

  const known = aMail({ From: client.email, Subject: `[${number}]`, Cc: 'by-number@example.org' })
  const stranger = aMail({ From: 'eve@example.net', To: replyTo(taken.get(client.email)), Cc: 'mallory@example.net' })
  const automatic = aMail({
    From: client.email,
    To: replyTo(taken.get(client.email)),
    Cc: 'x@example.org',
    Precedence: 'bulk'
  })
  const outcomes = [await receive(known), await receive(stranger), await receive(automatic)]
  await receive(aMail({ From: 'one@example.org', To: replyTo(taken.get('one@example.org')), Cc: 'two@example.org' }))
  await receive(aMail({ From: client.email, To: `three@example.org, ${replyTo(taken.get(client.email))}` }))

  assert.deepEqual(
    outcomes.map(({ ticket_id }) => ticket_id),
    [id, id, id]
  )
  assert.deepEqual(await emailsOf(id), ['one@example.org', 'two@example.org', 'three@example.org'])
  const others = await receive(
    aMail({ From: 'y@example.org', To: 'z@example.org, unknown@desk.example', Cc: 'c@example.org' })
  )
  assert.deepEqual(await emailsOf(others.ticket_id), ['c@example.org'])
})

test('nobody of the desk, no program, nobody who is blocked and no address that nobody has follows; of ten thousand come as many as may', async () => {
  const now = desk.clock.now()
  const mark = {
    email: 'gone@example.org',
    is_permanent: true,
    status: '5.1.1',
    reason: 'no such address',
    last_at: now
  }
  await desk.db.insertInto('undeliverable_addresses').values(mark).execute()
  await desk.post('/api/admin/mail/blocked/add', admin, { sender: '@spam.example' })
  const { client, id } = await opened(
    `${admin.email}, GONE@example.org, one@mail.spam.example, mailer-daemon@example.org, support+x@desk.example, A@example.org, a@EXAMPLE.org, ${'ada@example.org, '.repeat(3)}`
  )
  const many = Array.from({ length: 10_000 }, (_, at) => `Person ${at} <p${at}@many.example>`).join(',\r\n ')
  const { id: crowded } = await opened(many)

  assert.deepEqual(await emailsOf(id), ['A@example.org', 'ada@example.org'])
  assert.equal((await followers(crowded)).length, 20)
  const add = (email: string, ticket = id) =>
    desk.post('/api/admin/tickets/followers/add', admin, { id: ticket, email })
  const refusals = [
    await add(client.email.toUpperCase()),
    await add(admin.email),
    await add('gone@example.org'),
    await add('noreply@example.org'),
    await add('support+1@desk.example'),
    await add('one.more@example.org', crowded)
  ]
  assert.deepEqual(
    refusals.map(({ status, body }) => `${status} ${body.reason}`),
    [...Array(5).fill('409 follower_refused'), '409 too_many_followers']
  )
  const causes = refusals.slice(0, 5).map(({ body }) => [body.data.cause, body.data.reason_code])
  assert.deepEqual(causes, [
    ['client', null],
    ['staff', null],
    ['undeliverable', 'unknown_address'],
    ['desk', null],
    ['desk', null]
  ])
})

test('of two that add at once nobody is there twice, and no more than may', async () => {
  const { id } = await opened(Array.from({ length: 15 }, (_, at) => `c${at}@crowd.example`).join(', '))
  const add = (email: string) => desk.post('/api/admin/tickets/followers/add', admin, { id, email })

  const same = await Promise.all([1, 2, 3, 4].map(() => add('twin@example.org')))
  const others = await Promise.all(Array.from({ length: 8 }, (_, at) => add(`late${at}@example.org`)))

  assert.deepEqual(
    same.map(({ status }) => status),
    [200, 200, 200, 200]
  )
  assert.equal(others.filter(({ status }) => status === 200).length, 4)
  assert.equal((await followers(id)).length, 20)
})

test('who follows either of two merged tickets follows both, and each their own once they are taken apart', async () => {
  const { client, id } = await opened('one@merge.example, both@merge.example')
  const { id: into } = await opened('two@merge.example, Both@merge.example', client)
  const first = await answeredWith(id)

  await desk.post('/api/admin/tickets/merge', admin, { id, into_id: into })
  const together = await answeredWith(into)
  const reply = await receive(aMail({ From: 'one@merge.example', To: replyTo(first.get('one@merge.example')) }))
  const both = (await followers(into)).find(({ email }) => /both/i.test(email))!
  await desk.post('/api/admin/tickets/followers/remove', admin, { id: into, follower_id: both.id })
  const without = await emailsOf(into)
  await desk.post('/api/admin/tickets/unmerge', admin, { id })

  assert.deepEqual([...together.keys()].length, 4)
  assert.deepEqual([reply.outcome, reply.ticket_id], ['reply', into])
  assert.deepEqual(without.toSorted(), ['one@merge.example', 'two@merge.example'])
  assert.deepEqual([await emailsOf(id), await emailsOf(into)], [['one@merge.example'], ['two@merge.example']])
})

test('a follower ends the e-mails with one click, and what happened is told without their address', async () => {
  const { id } = await opened('Stop Me <stop@example.org>')
  const email = (await answeredWith(id)).get('stop@example.org')!
  // A person wrote the e-mail, so the link stands in its text alone.
  assert.equal(
    email.headers.find(({ key }) => key.startsWith('list-')),
    undefined
  )
  const [link] = /\S+\/unsubscribe\?token=\S+/.exec(email.text!)!
  const url = desk.url + new URL(link).pathname + new URL(link).search

  const asked = await fetch(url)
  const wrong = await fetch(`${url.slice(0, -3)}AAA`, { method: 'POST' })
  const stillThere = await emailsOf(id)
  const clicks = [await fetch(url, { method: 'POST' }), await fetch(url, { method: 'POST' })]
  const page = await (await fetch(url)).text()

  assert.match(await asked.text(), /No more e-mails about this ticket\?/)
  assert.deepEqual([wrong.status, stillThere], [400, ['stop@example.org']])
  assert.deepEqual(
    clicks.map(({ status }) => status),
    [200, 200]
  )
  assert.match(page, /You get no more e-mails about this ticket/)
  const { events, followers } = await detail(id)
  const told = events.filter(({ kind }: { kind: string }) => kind.startsWith('ticket.follower'))
  assert.deepEqual(followers, [])
  assert.deepEqual(
    told.map((event: { kind: string; actor_name: string }) => [event.kind, event.actor_name]),
    [
      ['ticket.follower_added', told[0].actor_name],
      ['ticket.follower_removed', 'Stop Me']
    ]
  )
  assert.deepEqual(told[1].before.follower, { name: 'Stop Me', email: 'stop@example.org' })
  const stored = await desk.db.selectFrom('events').where('ticket_id', '=', id).select(['before', 'after']).execute()
  assert.doesNotMatch(JSON.stringify(stored), /stop@example/)
  assert.equal((await answeredWith(id)).has('stop@example.org'), false)
})
