import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { imapServer } from '../../../test/support/imap-server.ts'
import { mailServer, saying } from '../../../test/support/mail-server.ts'
import { aMailbox, receivesFrom, serverAt } from '../../../test/support/mailboxes.ts'
import { bootMailboxesDesk } from '../../../test/support/mailboxes-desk.ts'
import { aMail } from '../../../test/support/mails.ts'
import { aClient } from '../../../test/support/people.ts'
import { aTicket, form } from '../../../test/support/tickets.ts'
import { until } from '../../../test/support/until.ts'
import { MailboxCannotSend, routedMail } from '../../mail/mailboxes/routed-mail.ts'

const { desk, admin, mail, operator, usual, aProcess, mailsFrom, isSettled, stateOf } = await bootMailboxesDesk()
const base = '/api/admin/mail/mailboxes'
const plain = { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }

test('an answer leaves through the mailbox to which the client wrote, under its name, and others through theirs', async () => {
  const [imap, own] = [await imapServer(), await mailServer(plain)]
  const box = await aMailbox(desk, admin, {
    name: 'Mira from Example',
    address: 'shop@box.example',
    ...receivesFrom(imap),
    smtp: serverAt(own.port)
  })
  const stop = aProcess()
  imap.deliver(aMail({ From: 'buyer@people.example', To: 'shop@box.example' }))
  await until(() => isSettled('buyer@people.example'))
  await stop()
  const [{ ticket_id: id } = { ticket_id: null }] = await mailsFrom('buyer@people.example')

  await desk.post('/api/admin/tickets/reply', admin, form({ id: id!, message: 'It is on its way.' }))
  await desk.deliver()

  const answer = own.emails.find(({ to }) => to[0] === 'buyer@people.example')!
  assert.deepEqual(
    [answer.email.from?.address, answer.email.from?.name, answer.user],
    ['shop@box.example', 'Mira from Example', 'desk']
  )
  assert.match(answer.email.replyTo![0]!.address!, /^shop\+t\d+-[0-9a-f]{20}@box\.example$/)
  assert.match(answer.from, /^shop\+e\d+-[0-9a-f]{20}@box\.example$/)
  assert.ok(operator.emails.every(({ email }) => email.from?.address === 'desk@operator.example'))
  await desk.post(`${base}/delete`, admin, { id: box.id })
})

test('while the server of a mailbox is broken its e-mails wait and others go on; it is left alone for a while', async () => {
  const broken = await aMailbox(desk, admin, { address: 'broken@box.example', smtp: serverAt(1) })
  const message = (from: string) => ({
    messageId: `<${Math.random()}@test>`,
    from: { name: 'X', address: from },
    to: 'reader@people.example',
    subject: 'S',
    text: 'T',
    html: 'T',
    date: new Date()
  })

  await assert.rejects(mail.send(message('broken@box.example')), /broken@box\.example cannot send: /)
  await assert.rejects(mail.send(message('broken@box.example')), /broken@box\.example cannot send: /)
  await mail.send(message('desk@operator.example'))

  const { state, last_error, sending } = await stateOf(broken.id)
  assert.equal(state, 'failing')
  assert.match(last_error, /ECONNREFUSED/)
  assert.ok(sending.failing_since)

  const mended = await mailServer(plain)
  await desk.post(`${base}/update`, admin, { id: broken.id, smtp: serverAt(mended.port) })
  await mail.send(message('broken@box.example'))
  assert.equal(mended.emails.length, 1)
  assert.equal((await stateOf(broken.id)).sending.failing_since, null)
  await desk.post(`${base}/delete`, admin, { id: broken.id })
})

test('an e-mail that its recipient puts off waits alone: the mailbox goes on, and nowhere else is what the server said', async () => {
  const server = await mailServer(plain)
  server.onEmail = ({ to }) => {
    if (to[0] === 'later@people.example') throw saying(451, '4.7.1 No links such as https://desk.example/reset/s3cret')
  }
  const box = await aMailbox(desk, admin, { address: 'greylisted@box.example', smtp: serverAt(server.port) })
  const message = (to: string) => ({
    messageId: `<${to}>`,
    from: { name: 'X', address: 'greylisted@box.example' },
    to,
    subject: 'S',
    text: 'T',
    html: 'T',
    date: new Date()
  })

  await assert.rejects(mail.send(message('later@people.example')), /451 4\.7\.1/)
  await mail.send(message('reader@people.example'))

  assert.equal(server.emails.length, 1)
  const { state, last_error } = await stateOf(box.id)
  assert.deepEqual([state, last_error], ['working', null])
  await desk.post(`${base}/delete`, admin, { id: box.id })
})

test('e-mails of a mailbox that has no password yet wait, instead of being refused for good', async () => {
  const server = await mailServer({
    ...plain,
    authOptional: true,
    onRcptTo: (_address, session, answer) =>
      session.user ? answer() : answer(saying(554, '5.7.1 Relay access denied'))
  })
  const imap = await imapServer()
  const box = await aMailbox(desk, admin, {
    address: 'begun@box.example',
    ...receivesFrom(imap, { password: undefined }),
    smtp: serverAt(server.port, { password: undefined })
  })

  const sent = mail.send({
    messageId: '<begun@test>',
    from: { name: 'X', address: 'begun@box.example' },
    to: 'reader@people.example',
    subject: 'S',
    text: 'T',
    html: 'T',
    date: new Date()
  })

  await assert.rejects(sent, MailboxCannotSend)
  await desk.post(`${base}/delete`, admin, { id: box.id })
})

test('a mailbox that is being set up sends nothing and starts no e-mails, until it is turned on; paused, it goes on', async () => {
  const server = await mailServer(plain)
  const lone = routedMail(desk.services, { mail: usual, isServer: false })
  const opened = await aTicket(desk, await aClient(desk), { department_id: 6 })
  const box = await aMailbox(desk, admin, { address: 'tried@box.example', smtp: serverAt(1), deptid: 6, is_active: 0 })
  const message = (messageId: string) => ({
    messageId,
    from: { name: 'X', address: 'tried@box.example' },
    to: 'reader@people.example',
    subject: 'S',
    text: 'T',
    html: 'T',
    date: new Date()
  })
  const senders = async () =>
    (await desk.post('/api/admin/tickets/recipients', admin, { id: opened.ticket_id })).data.senders.map(
      ({ address }: { address: string }) => address
    )

  const before = operator.emails.length
  await lone.send(message('<trying@test>'))
  const whileTried = await senders()
  await desk.post(`${base}/update`, admin, { id: box.id, smtp: serverAt(server.port), is_active: 1 })
  await lone.send(message('<on@test>'))
  const whileOn = await senders()
  await desk.post(`${base}/update`, admin, { id: box.id, is_active: 0 })
  await lone.send(message('<paused@test>'))
  lone.close()

  assert.deepEqual(
    [operator.emails.length - before, server.emails.map(({ email }) => email.messageId)],
    [1, ['<on@test>', '<paused@test>']]
  )
  assert.ok(!whileTried.includes('tried@box.example'), whileTried)
  assert.ok(whileOn.includes('tried@box.example'), whileOn)
  assert.ok((await senders()).includes('tried@box.example'))
  await desk.post(`${base}/delete`, admin, { id: box.id })
})

test('a refresh token that the provider has replaced is kept while its mailbox is paused or only sends', async () => {
  const { keys } = desk.services
  const oauth = { provider: 'google', client_id: 'desk-client', client_secret: 'of-the-client' }
  const box = await aMailbox(desk, admin, { address: 'sends@box.example', smtp: serverAt(1), auth: 'oauth2', oauth })
  const [login, now] = [createHash('sha256'), new Date()]
  login.update(['https://oauth2.googleapis.com/token', 'desk-client', 'r3fresh'].join('\0'))
  await desk.db
    .updateTable('connected_mailboxes')
    .where('id', '=', box.id)
    .set({ sealed_secrets: keys.seal('connected mailbox', JSON.stringify({ refresh_token: 'r3fresh' })) })
    .execute()
  await desk.db
    .insertInto('mailbox_tokens')
    .values([
      { configured_sha256: login.digest('hex'), sealed_token: keys.seal('mailbox token', 'newer'), replaced_at: now },
      { configured_sha256: 'of nobody', sealed_token: 'sealed', replaced_at: now }
    ])
    .execute()
  const tokens = () => desk.db.selectFrom('mailbox_tokens').select('configured_sha256').execute()

  const stop = aProcess()
  await until(async () => !(await tokens()).some(({ configured_sha256 }) => configured_sha256 === 'of nobody'))
  await stop()

  assert.equal((await tokens()).length, 1)
  await desk.post(`${base}/delete`, admin, { id: box.id })
})

test('a host with many addresses is not connected to anew for each e-mail, only after a failure', async () => {
  const server = await mailServer(plain)
  const box = await aMailbox(desk, admin, { address: 'many@box.example', smtp: serverAt(server.port) })
  const asked: string[] = []
  const one = routedMail(desk.services, { mail: usual, isServer: true }, [], async host => {
    asked.push(host)
    return asked.length === 2 ? '127.0.0.9' : '127.0.0.1'
  })
  const message = {
    messageId: '<many@test>',
    from: { name: 'X', address: 'many@box.example' },
    to: 'reader@people.example',
    subject: 'S',
    text: 'T',
    html: 'T',
    date: new Date()
  }

  await one.send(message)
  await one.send(message)
  assert.deepEqual([server.emails.length, asked.length], [2, 1])

  server.onEmail = () => {
    throw saying(421, '4.7.0 Try another server')
  }
  await assert.rejects(one.send(message), MailboxCannotSend)
  desk.clock.turn(31)
  await assert.rejects(one.send(message), MailboxCannotSend)
  assert.equal(asked.length, 2)
  one.close()
  await desk.post(`${base}/delete`, admin, { id: box.id })
})

test('without a server of the operator the default mailbox sends all e-mails, under its own address', async () => {
  const own = await mailServer(plain)
  const box = await aMailbox(desk, admin, { address: 'only@box.example', smtp: serverAt(own.port), is_default: 1 })
  const lone = routedMail(desk.services, { mail: usual, isServer: false })

  await lone.send({
    messageId: '<alone@test>',
    from: 'Example <desk@operator.example>',
    to: 'reader@people.example',
    subject: 'S',
    text: 'T',
    html: 'T',
    date: new Date()
  })
  lone.close()

  assert.deepEqual(
    [own.emails[0]!.email.from!.address, own.emails[0]!.email.from!.name],
    ['only@box.example', 'Example']
  )
  await desk.post(`${base}/delete`, admin, { id: box.id })
})

test('answers in the tickets of an address that is deleted come from the one that is chosen then, also when that is deleted later', async () => {
  const [imap, servers] = [await imapServer(), await Promise.all([mailServer(plain), mailServer(plain)])]
  const [gone, second, third] = [
    await aMailbox(desk, admin, {
      address: 'gone@box.example',
      ...receivesFrom(imap),
      smtp: serverAt(servers[0].port)
    }),
    await aMailbox(desk, admin, { address: 'a-first@box.example', smtp: serverAt(servers[0].port) }),
    await aMailbox(desk, admin, { address: 'chosen@box.example', smtp: serverAt(servers[1].port) })
  ]
  const stop = aProcess()
  imap.deliver(aMail({ From: 'patron@people.example', To: 'gone@box.example' }))
  await until(() => isSettled('patron@people.example'))
  await stop()
  const [{ ticket_id: id } = { ticket_id: null }] = await mailsFrom('patron@people.example')
  const answerFrom = async () => {
    const { senders } = (await desk.post('/api/admin/tickets/recipients', admin, { id: id! })).data
    return senders.find(({ is_usual }: { is_usual: number }) => is_usual === 1).address
  }
  const { successors } = (await desk.post(`${base}/detail`, admin, { id: gone.id })).data
  const remove = (box: { id: number }, answers_from?: string) =>
    desk.post(`${base}/delete`, admin, { id: box.id, ...(answers_from && { answers_from }) })

  const refused = [await remove(gone, 'nobody@box.example'), await remove(gone, 'GONE@box.example')]
  const deleted = await remove(gone, 'Chosen@box.example')
  const chosen = await answerFrom()
  await remove(third, 'a-first@box.example')
  const last = await answerFrom()

  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.errors]),
    [
      [400, ['answers_from']],
      [400, ['answers_from']]
    ]
  )
  assert.deepEqual(successors.slice(0, 2), ['a-first@box.example', 'chosen@box.example'])
  assert.deepEqual([deleted.status, chosen, last], [200, 'chosen@box.example', 'a-first@box.example'])
  await remove(second)
})
