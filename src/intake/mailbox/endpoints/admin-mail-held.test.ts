import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aMail, receiverOf } from '../../../../test/support/mails.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { aTicket } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 8, config: { NOTIFICATION_DELAY_SECONDS: 0, MAX_FILE_BYTES: 100_000 } })
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
await desk.post('/api/admin/settings/update', admin, { mail_unknown_senders: 'hold' })

const post = async (path: string, body: object = {}, by: Person = admin) =>
  await desk.post(`/api/admin/mail/${path}`, by, body)

let strangers = 0
const stranger = () => `stranger${++strangers}@far.example`

/** A held mail as the list shows it. */
async function aHeldMail(headers: Record<string, string | null> = {}, body?: string) {
  const receipt = await receive(aMail({ From: `Grace Hopper <${stranger()}>`, ...headers }, body))
  assert.equal(receipt.outcome, 'held', JSON.stringify(receipt))
  return (await post('held/list', { limit: 1 })).data.mails[0]
}

async function mailRow(id: number) {
  return await desk.db.selectFrom('inbound_mails').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

const messagesOf = async (id: number) => (await desk.post('/api/admin/tickets/detail', admin, { id })).data.messages

test('held mails are listed newest first, by reason and by what is searched for', async () => {
  const [first, second] = [await aHeldMail({ Subject: 'Where 100% of it is' }), await aHeldMail({ From: null })]
  const listed = async (body: object) => (await post('held/list', body)).data.mails.map(({ id }: { id: number }) => id)

  assert.deepEqual((await listed({})).slice(0, 2), [second.id, first.id])
  assert.deepEqual([first.reason, second.reason, second.from], ['unknown_sender', 'no_sender', null])
  assert.deepEqual(await listed({ reason: 'no_sender' }), [second.id])
  assert.deepEqual(await listed({ search: '100% OF' }), [first.id])
  assert.deepEqual(await listed({ search: first.from.email }), [first.id])
  assert.deepEqual(await listed({ search: '1_0%' }), [])
  assert.deepEqual(await listed({ limit: 1, page: 2 }), [first.id])
  const { reasons, total } = (await post('held/list', { reason: 'no_sender' })).data
  assert.equal(total, 1)
  assert.ok(reasons.some((each: object) => JSON.stringify(each) === '{"reason":"no_sender","count":1}'))
})

test('the detail tells what a mail says, its files, whose account it may be, and where it would have gone', async () => {
  const client = await aClient(desk)
  const { ticket_id, ticket_number } = await aTicket(desk, client)
  await desk.db.updateTable('clients').set({ is_active: false }).where('id', '=', client.id).execute()
  const body = `--x\nContent-Type: text/plain\n\nLook at this.\n--x\nContent-Type: image/png; name="a.png"\n\nabcd\n--x--\n`
  const { id } = await aHeldMail(
    {
      From: client.email,
      Cc: 'Bob <bob@example.com>',
      Subject: `Re: [${ticket_number}] Help`,
      'Content-Type': 'multipart/mixed; boundary=x'
    },
    body
  )

  const { mail } = (await post('held/detail', { id })).data

  assert.deepEqual([mail.reason, mail.outcome, mail.channel], ['client_inactive', 'held', 'command'])
  assert.match(mail.reason_text, /deactivated/)
  assert.deepEqual([mail.text, mail.is_text_whole, mail.raw], ['Look at this.', 1, null])
  assert.deepEqual(
    [mail.from.email, mail.cc, mail.date],
    [client.email, [{ name: 'Bob', email: 'bob@example.com' }], '2026-11-20 08:28:31']
  )
  assert.deepEqual(mail.attachments, [{ file_name: 'a.png', file_size: 4 }])
  assert.deepEqual(
    [mail.ticket.id, mail.named_ticket, mail.client.id, mail.client.is_active],
    [ticket_id, null, client.id, 0]
  )
})

test('of a mail that cannot be read the detail shows how it begins, and it can be released nevertheless', async () => {
  const deep = Array.from({ length: 80 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`).join(
    ''
  )
  const { id, reason, from } = await aHeldMail(
    { From: 'deep@far.example', 'Content-Type': 'multipart/mixed; boundary=b' },
    `--b\n${deep}`
  )
  const { mail } = (await post('held/detail', { id })).data

  assert.deepEqual([reason, from.email, mail.text], ['nested_too_deeply', 'deep@far.example', null])
  assert.equal(mail.authentication, null)
  assert.match(mail.raw, /^From: deep@far\.example/)
  const { data } = await post('held/release', { id })
  const [message] = await messagesOf(data.ticket_id)
  assert.match(message.message, /^\[This e-mail could not be read/)
})

test('a released mail becomes the ticket that it would have been, with its files, an account and its answer', async () => {
  const mail = await aHeldMail({ Subject: 'An invoice' })
  await desk.deliver()
  desk.outbox.emails.length = 0

  const { status, data } = await post('held/release', { id: mail.id })

  const { ticket, messages } = (await desk.post('/api/admin/tickets/detail', admin, { id: data.ticket_id })).data
  assert.deepEqual([status, data.outcome, data.ticket_number], [200, 'ticket', ticket.ticket_number])
  assert.deepEqual(
    [ticket.subject, ticket.client.email, messages[0].id],
    ['An invoice', mail.from.email, data.message_id]
  )
  assert.equal(messages[0].email.original_path, `/uploads/mails/${mail.id}.eml`)
  const { emails } = await desk.deliver()
  assert.equal(emails.filter(({ to }) => to === mail.from.email).length, 2)
  const entries = (await desk.post('/api/admin/audit/list', admin, { action: 'mail.released' })).data.entries
  assert.deepEqual([entries[0].target_id, entries[0].actor_id], [mail.id, admin.id])
  assert.equal((await receive(await original(mail.id))).outcome, 'duplicate')
})

test('it is released into a ticket by its id or its number, whoever sent it', async () => {
  const { ticket_id, ticket_number } = await aTicket(desk, await aClient(desk))
  const [one, other] = [await aHeldMail({}, 'One.'), await aHeldMail({ From: null }, 'Other.')]

  const replies = [
    await post('held/release', { id: one.id, ticket_id: ticket_number.toLowerCase() }),
    await post('held/release', { id: other.id, ticket_id })
  ]

  assert.deepEqual(
    replies.map(({ data }) => [data.outcome, data.ticket_id]),
    [
      ['reply', ticket_id],
      ['reply', ticket_id]
    ]
  )
  const messages = await messagesOf(ticket_id)
  assert.deepEqual(
    messages.slice(1).map(({ message, first_name }: Record<string, string>) => [message, first_name]),
    [
      ['One.', 'Grace'],
      ['Other.', 'Unknown']
    ]
  )
  assert.equal((await post('held/release', { id: (await aHeldMail()).id, ticket_id: 999_999 })).status, 404)
})

test('what names no sender becomes a ticket only of a client who is named', async () => {
  const { id } = await aHeldMail({ From: null })
  const client = await aClient(desk)

  const refused = await post('held/release', { id })
  const released = await post('held/release', { id, client_id: client.id })

  assert.deepEqual([refused.status, refused.body.reason], [409, 'sender_missing'])
  const { ticket } = (await desk.post('/api/admin/tickets/detail', admin, { id: released.data.ticket_id })).data
  assert.equal(ticket.client.id, client.id)
})

test('however many release or discard a mail at once, one of them does', async () => {
  const { id } = await aHeldMail()
  const { ticket_id } = await aTicket(desk, await aClient(desk))
  const other = await anAdmin(desk)

  const replies = await Promise.all([
    post('held/release', { id }),
    post('held/release', { id, ticket_id }, other),
    post('held/release', { id }, other),
    post('held/delete', { ids: [id] })
  ])

  const done = replies.filter(({ status }) => status === 200)
  assert.equal(done.length, 1, JSON.stringify(replies.map(({ body }) => body)))
  for (const { status } of replies) assert.ok([200, 404, 409].includes(status), `${status}`)
  const again = await post('held/release', { id })
  assert.equal(again.body.reason, 'mail_settled')
  const { state } = await mailRow(id)
  assert.equal(again.body.data.outcome, state)
  const files = await desk.db.selectFrom('message_emails').where('mail_id', '=', id).select('message_id').execute()
  assert.equal(files.length, state === 'dropped' ? 0 : 1)
})

test('with an idempotency key a release is answered again, and done once', async () => {
  const { id } = await aHeldMail()
  const send = async () => {
    const answer = await fetch(`${desk.url}/api/admin/mail/held/release`, {
      method: 'POST',
      body: JSON.stringify({ id }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.token}`, 'idempotency-key': 'once' }
    })
    return (await answer.json()) as { code: number; data: { ticket_id: number } }
  }

  const [first, again] = [await send(), await send()]

  assert.deepEqual([first.code, again], [200, first])
})

test('what is discarded can be restored for a day, and comes no second time', async () => {
  const mail = await aHeldMail()
  const raw = await original(mail.id)

  const { data } = await post('held/delete', { ids: [mail.id, 999_999] })
  assert.deepEqual(data.deleted_ids, [mail.id])
  assert.equal((await receive(raw)).outcome, 'duplicate')
  assert.deepEqual((await post('held/list', { discarded: 1 })).data.mails[0].is_discarded, 1)
  assert.equal((await post('held/restore', { id: mail.id })).status, 200)
  assert.equal((await post('held/detail', { id: mail.id })).data.mail.reason, 'unknown_sender')

  await post('held/delete', { ids: [mail.id] })
  const aDayAgo = new Date(desk.clock.now().getTime() - 86_401_000)
  await desk.db.updateTable('inbound_mails').set({ settled_at: aDayAgo }).where('id', '=', mail.id).execute()
  assert.equal((await post('held/restore', { id: mail.id })).status, 410)
})

test('who does not see all tickets sees no held mail and decides about none; without tickets.edit_status nobody decides', async () => {
  const { id } = await aHeldMail()
  const limited = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  await desk.post('/api/admin/departments/members', admin, { id: 1, staff_ids: [limited.id] })
  const blind = await aSupporter(desk, 'tickets.edit_status', 'tickets.reply')
  const onlooker = await aSupporter(desk, 'tickets.view_all')
  const decisions: [string, object][] = [
    ['held/release', { id }],
    ['held/delete', { ids: [id] }],
    ['held/restore', { id }],
    ['blocked/add', { sender: 'a@far.example' }]
  ]

  for (const by of [limited, blind]) {
    for (const [path, body] of [
      ['held/list', {}],
      ['held/detail', { id }],
      ['blocked/list', {}],
      ...decisions
    ] as const)
      assert.equal((await post(path, body, by)).status, 403, path)
    assert.equal((await post('original-link', { id }, by)).status, 404)
  }
  assert.equal((await post('held/detail', { id }, onlooker)).status, 200)
  for (const [path, body] of decisions) assert.equal((await post(path, body, onlooker)).status, 403, path)
  assert.equal((await mailRow(id)).state, 'held')
})

async function original(id: number): Promise<Buffer> {
  const answer = await fetch(`${desk.url}/uploads/mails/${id}.eml`, {
    headers: { authorization: `Bearer ${admin.token}` }
  })
  assert.equal(answer.status, 200)
  return Buffer.from(await answer.arrayBuffer())
}
