import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aMail } from '../../../test/support/mails.ts'
import { deskWithThirdParty, type Given, partner } from '../../../test/support/side-conversations.ts'
import { assign, ticketRow, timeline } from '../../../test/support/tickets.ts'

const { desk, receive, admin, mailsTo, ada, grace, forward, detail, sentToPartner, answer, ticketWithFile } =
  await deskWithThirdParty()

test('a third party gets the message with what was chosen, and whoever the client is stays unsaid', async () => {
  const { id, message, file } = await ticketWithFile()
  const before = await ticketRow(desk, id)

  const conversation = await forward(id, {
    message_ids: [message],
    attachment_ids: [file],
    format: 'markdown',
    message: '**Safe?**'
  })

  const { mail, replyTo } = await sentToPartner()
  assert.equal(mail.email.subject, 'Error E-042')
  assert.match(mail.email.html!, /<strong>Safe\?<\/strong>/)
  assert.match(mail.email.text!, /Client wrote:\n> It shows E-042\./)
  assert.doesNotMatch(mail.raw, /Lovelace|ada@/i)
  assert.deepEqual(
    mail.email.attachments.map(({ filename }) => filename),
    ['log.txt']
  )
  assert.match(replyTo, /^support\+s\d+-[0-9a-f]{20}@desk\.example$/)
  assert.deepEqual([conversation.participants[0].email, conversation.waits, conversation.is_answered], [partner, 0, 0])
  assert.deepEqual(await ticketRow(desk, id), before)
  const [, started] = await timeline(desk, id)
  assert.equal(started![0], 'conversation.started')
  const shown = await detail(conversation.id)
  assert.deepEqual(
    shown.messages[0].forwarded.map(({ by, text }: Given) => [by, text]),
    [['Client', 'It shows E-042.']]
  )
  assert.deepEqual(
    shown.messages[0].attachments.map(({ file_name }: Given) => file_name),
    ['log.txt']
  )
  assert.deepEqual(
    shown.messages[0].deliveries.map(({ email, state }: Given) => [email, state]),
    [[partner, 'sent']]
  )
})

test('the answer comes back into the side conversation with its files, and an answer of staff goes on there', async () => {
  const { id } = await ticketWithFile()
  await assign(desk, id, grace.id)
  const { id: conversation } = await forward(id)
  const { replyTo, messageId } = await sentToPartner()
  const before = await ticketRow(desk, id)
  const multipart = [
    ...['--b', 'Content-Type: text/plain', '', 'Yes, it is.', ''],
    ...[
      '--b',
      'Content-Type: text/plain; name=rma.txt',
      'Content-Disposition: attachment; filename=rma.txt',
      '',
      '88-2041',
      '--b--',
      ''
    ]
  ].join('\n')

  const receipt = await receive(
    answer(replyTo, { 'In-Reply-To': messageId, 'Content-Type': 'multipart/mixed; boundary=b' }, multipart)
  )

  assert.deepEqual([receipt.outcome, receipt.ticket_id], ['reply', id])
  const shown = await detail(conversation)
  const [, received] = shown.messages
  assert.deepEqual(
    [received.sender_type, received.name, received.message],
    ['partner', 'Sungrid Service', 'Yes, it is.']
  )
  assert.deepEqual(
    received.attachments.map(({ file_name }: Given) => file_name),
    ['rma.txt']
  )
  assert.equal(shown.is_answered, 1)
  assert.deepEqual(await ticketRow(desk, id), before)
  const { url } = (await desk.post('/api/tickets/attachment-link', grace, { id: received.attachments[0].id })).data
  assert.ok(url)
  const [told] = await mailsTo(grace.email)
  assert.match(told!.email.text!, /Sungrid Service answered in a side\s+conversation/)
  const listed = (await desk.post('/api/admin/tickets/list', grace, {})).data.tickets
  assert.equal(listed.find((row: Given) => row.id === id).unread, 1)

  const { status } = await desk.post('/api/admin/tickets/conversations/reply', grace, {
    id: conversation,
    message: 'Thank you.'
  })
  const { mail } = await sentToPartner()
  assert.equal(status, 201)
  assert.equal(mail.email.subject, 'Re: Error E-042')
  assert.equal(mail.email.replyTo![0]!.address, replyTo)
  assert.equal((await detail(conversation)).is_answered, 0)
})

test('sent again, an e-mail of a side conversation stays one: its delivery is shown there, and the answer comes there', async () => {
  const { id } = await ticketWithFile()
  const { id: conversation } = await forward(id)
  await sentToPartner()
  const { mails } = (await desk.post('/api/admin/mail/log/list', admin, { ticket_id: id, search: partner })).data

  const again = await desk.post('/api/admin/mail/log/send', admin, { id: mails[0].id })
  const { messageId } = await sentToPartner()
  const answered = { 'In-Reply-To': messageId, Subject: 'An answer', References: messageId }
  const receipt = await receive(answer('support@desk.example', answered))

  assert.equal(again.status, 201, again.body.message)
  assert.deepEqual([receipt.outcome, receipt.ticket_id], ['reply', id])
  const { messages } = await detail(conversation)
  assert.deepEqual(
    messages.map(({ sender_type }: Given) => sender_type),
    ['staff', 'partner']
  )
  assert.deepEqual(
    messages[0].deliveries.map(({ email, state, log_id }: Given) => [email, state, log_id]),
    [[partner, 'sent', again.data.sent_id]]
  )
})

test('only whoever is in it writes in a side conversation: strangers are held, and released they come there', async () => {
  const { id } = await ticketWithFile()
  const { id: conversation } = await forward(id)
  const { replyTo, messageId } = await sentToPartner()
  const from = 'Max <max@elsewhere.example>'

  const byAddress = await receive(answer(replyTo, { From: from }))
  const byReference = await receive(answer('support@desk.example', { From: from, References: messageId }))
  const byStaff = await receive(answer(replyTo, { From: grace.email }))

  assert.deepEqual([byAddress.outcome, byAddress.reason], ['held', 'side_stranger'])
  assert.deepEqual([byReference.outcome, byReference.reason], ['held', 'side_stranger'])
  assert.deepEqual([byStaff.outcome, byStaff.reason], ['held', 'from_staff'])
  const held = (await desk.post('/api/admin/mail/held/list', admin, {})).data.mails
  const mail = held.find((row: Given) => row.reason === 'side_stranger')
  const released = await desk.post('/api/admin/mail/held/release', admin, { id: mail.id, ticket_id: id })
  assert.deepEqual([released.status, released.data.outcome, released.data.message_id], [200, 'reply', null])
  const shown = await detail(conversation)
  assert.deepEqual(
    shown.participants.map(({ email, role }: Given) => [email, role]),
    [
      [partner, 'to'],
      ['max@elsewhere.example', 'new']
    ]
  )
  assert.equal(shown.messages.length, 2)
})

test('a third party never gets into the thread: neither by a Message-ID nor by the number in the subject', async () => {
  const { id, number } = await ticketWithFile()
  await forward(id)
  const { replyTo, messageId } = await sentToPartner()
  const own = '<own.1@sungrid.example>'
  await receive(answer(replyTo, { 'Message-ID': own }))
  const messages = () => desk.db.selectFrom('ticket_messages').where('ticket_id', '=', id).select('id').execute()

  const byRef = await receive(answer('support@desk.example', { 'In-Reply-To': messageId }, 'One more.\n'))
  const byOwn = await receive(answer('support@desk.example', { 'In-Reply-To': own }, 'And one.\n'))
  const byNumber = await receive(answer('support@desk.example', { Subject: `About ${number}` }, 'Hello.\n'))

  assert.deepEqual([byRef.outcome, byRef.ticket_id, byOwn.outcome, byOwn.ticket_id], ['reply', id, 'reply', id])
  assert.notEqual(byNumber.ticket_id, id)
  assert.equal((await messages()).length, 1)
})

test('what the client writes to the address of a side conversation belongs to the thread', async () => {
  const { id } = await ticketWithFile()
  const { id: conversation } = await forward(id)
  const { replyTo } = await sentToPartner()

  const receipt = await receive(aMail({ From: `Ada <${ada.email}>`, To: replyTo, Subject: 'Mine' }, 'I see.\n'))

  assert.deepEqual([receipt.outcome, receipt.ticket_id], ['reply', id])
  const shown = await detail(conversation)
  assert.equal(shown.messages.length, 1)
  assert.deepEqual(
    shown.messages_in_thread.map(({ name }: Given) => name),
    [`${ada.first_name} ${ada.last_name}`]
  )
})

test('it is told where a third party put the client in copy, or wrote to the client as well, and not of anybody else', async () => {
  const { id } = await ticketWithFile()
  const { id: conversation } = await forward(id)
  const { replyTo } = await sentToPartner()
  const shouted = ada.email.toUpperCase()

  await receive(answer(replyTo, { Cc: 'other@sungrid.example' }, 'One.\n'))
  await receive(answer(replyTo, { Cc: `other@sungrid.example, Ada <${shouted}>` }, 'Two.\n'))
  await receive(answer(`${ada.email}, ${replyTo}`, {}, 'Three.\n'))

  const { messages, messages_in_thread } = await detail(conversation)
  assert.deepEqual(
    messages.map(({ copies_client }: Given) => copies_client),
    [0, 0, 1, 1]
  )
  assert.deepEqual(messages_in_thread, [])
})

test('an automatic answer is shown and answers nothing; a bounce is told at the message', async () => {
  const gone = 'gone@sungrid.example'
  const { id } = await ticketWithFile()
  const { id: conversation } = await forward(id, { to: [gone] })
  const { mail, replyTo } = await sentToPartner(gone)
  await receive(answer(replyTo, { From: gone, 'Auto-Submitted': 'auto-replied' }, 'I am away.\n'))
  const bounce = aMail(
    {
      From: 'MAILER-DAEMON@sungrid.example',
      To: mail.from,
      Subject: 'Undelivered',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b'
    },
    [
      '--b',
      'Content-Type: text/plain',
      '',
      'No such user.',
      '',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; x',
      '',
      `Final-Recipient: rfc822; ${gone}`,
      'Action: failed',
      'Status: 5.1.1',
      '--b--',
      ''
    ].join('\n')
  )
  const receipt = await receive(bounce, { recipient: mail.from, sender: '' })

  const shown = await detail(conversation)
  assert.equal(receipt.outcome, 'bounce')
  assert.deepEqual([shown.is_answered, shown.messages[1].is_automatic], [0, 1])
  assert.equal(shown.messages[0].deliveries[0].state, 'bounced')
})

test('closing waits for the answer if wanted, unless it is forced; an answer wakes a ticket that is snoozed for a third party', async () => {
  const { id } = await ticketWithFile()
  const { id: conversation } = await forward(id, { waits: 1, to: ['second@sungrid.example'] })
  const { replyTo } = await sentToPartner('second@sungrid.example')
  const close = (more: Given = {}) => desk.post('/api/admin/tickets/status', grace, { id, status: 'Closed', ...more })

  const refused = await close()
  assert.deepEqual([refused.status, refused.body.reason], [409, 'ticket_blocked'])
  assert.deepEqual(refused.data.waiting_for, [{ conversation_id: conversation, name: 'second@sungrid.example' }])
  await desk.post('/api/admin/tickets/snooze', grace, { id, until_reply: 1, kind: 'third_party' })
  await receive(answer(replyTo, { From: 'second@sungrid.example' }))

  assert.equal(
    (await timeline(desk, id)).some(
      ([kind, , after]) => kind === 'ticket.woken' && (after as Given).cause === 'conversation'
    ),
    true
  )
  assert.equal((await close()).status, 200)
})

test('snoozing waits for the answer if wanted, whatever the ticket is snoozed for; what a program wrote is none, nor is a second answer', async () => {
  const snoozedWith = async (waits: 0 | 1, to: string) => {
    const { id } = await ticketWithFile()
    await forward(id, { waits, to: [to] })
    const snooze = async () => {
      await desk.post('/api/admin/tickets/snooze', grace, {
        id,
        until: new Date(desk.clock.now().getTime() + 86_400_000).toISOString()
      })
    }
    await snooze()
    const { replyTo } = await sentToPartner(to)
    const write = async (more: Given = {}) => await receive(answer(replyTo, { From: to, ...more }))
    const isSnoozed = async () =>
      (await desk.post('/api/admin/tickets/detail', grace, { id })).data.ticket.snooze !== null
    return { write, snooze, isSnoozed }
  }

  const wanted = await snoozedWith(1, 'wanted@sungrid.example')
  await wanted.write({ 'Auto-Submitted': 'auto-replied' })
  const afterProgram = await wanted.isSnoozed()
  await wanted.write()
  const afterAnswer = await wanted.isSnoozed()
  await wanted.snooze()
  await wanted.write()
  const afterSecond = await wanted.isSnoozed()
  const other = await snoozedWith(0, 'unwanted@sungrid.example')
  await other.write()

  assert.deepEqual([afterProgram, afterAnswer, afterSecond, await other.isSnoozed()], [true, false, true, true])
})
