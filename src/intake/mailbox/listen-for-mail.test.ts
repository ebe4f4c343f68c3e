import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import nodemailer from 'nodemailer'
import { bootDesk } from '../../../test/support/desk.ts'
import { certificatePath, keyPath } from '../../../test/support/mail-server.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { until } from '../../../test/support/until.ts'
import type { Config } from '../../core/config.ts'
import { listenForMail } from './listen-for-mail.ts'
import { NoMessage, storeMail } from './store-mail.ts'

const desk = await bootDesk({ connections: 6, config: { MAIL_MAX_BYTES: 100_000 } })
const admin = await anAdmin(desk)
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })

async function listening(
  protocol: 'lmtp' | 'smtp',
  { tls, ...config }: { tls?: object } & Partial<Config> = {},
  options: { longest?: number } = {}
) {
  desk.services.config = { ...desk.services.config, ...config, MAIL_LISTEN: { protocol, host: '127.0.0.1', port: 0 } }
  const server = (await listenForMail(desk.services, options))!
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: server.port,
    lmtp: protocol === 'lmtp',
    ...(tls ? { requireTLS: true, tls } : { ignoreTLS: true })
  } as object)
  after(async () => {
    transport.close()
    await server.stop()
  })
  const send = (raw: string, to: string | string[], from = 'ada@example.com') =>
    transport.sendMail({ raw, envelope: { from, to } })
  return { send, stop: server.stop, port: server.port }
}

for (const protocol of ['lmtp', 'smtp'] as const) {
  test(`a mail server hands mails over by ${protocol}; they are stored when it is told so, and settled`, async () => {
    const { send, stop } = await listening(protocol)

    await send(aMail({ From: `${protocol}@example.com` }), 'Support+x@desk.example')
    const stored = await desk.db
      .selectFrom('inbound_mails')
      .where('via', '=', protocol)
      .select(['envelope_recipient', 'envelope_sender', 'peer_address'])
      .execute()
    await stop()

    const peer_address = protocol === 'smtp' ? '127.0.0.1' : null
    assert.deepEqual(stored, [
      { envelope_recipient: 'Support+x@desk.example', envelope_sender: 'ada@example.com', peer_address }
    ])
    const settled = await desk.db.selectFrom('inbound_mails').where('via', '=', protocol).select('state').execute()
    assert.deepEqual(settled, [{ state: 'ticket' }])
  })
}

test('with a certificate STARTTLS is offered: who trusts it hands over encrypted, who does not is not taken for somebody else', async () => {
  const encryption = { MAIL_TLS_CERT: certificatePath, MAIL_TLS_KEY: keyPath }
  const trusting = await listening('lmtp', { ...encryption, tls: { ca: readFileSync(certificatePath) } })
  const distrusting = await listening('smtp', { ...encryption, tls: {} })

  // This sender hands nothing over unless STARTTLS has succeeded.
  await trusting.send(aMail({ From: 'encrypted@example.com' }), 'support@desk.example')
  await assert.rejects(distrusting.send(aMail({ From: 'open@example.com' }), 'support@desk.example'), /self-signed/)
  await trusting.stop()

  const stored = await desk.db
    .selectFrom('inbound_mails')
    .where('sender', 'in', ['encrypted@example.com', 'open@example.com'])
    .select(['sender', 'state'])
    .execute()
  assert.deepEqual(stored, [{ sender: 'encrypted@example.com', state: 'ticket' }])
  Object.assign(desk.services.config, { MAIL_TLS_CERT: undefined, MAIL_TLS_KEY: undefined })
  const { send } = await listening('smtp', { tls: { ca: readFileSync(certificatePath) } })
  await assert.rejects(send(aMail(), 'support@desk.example'), /STARTTLS/i)
})

test('a mail with a line above its header is taken, and held', async () => {
  const { send } = await listening('smtp')

  await send(`A line of a program\r\n${aMail({ Subject: 'Below a line of a program' })}`, 'support@desk.example')

  const stored = () =>
    desk.db
      .selectFrom('inbound_mails')
      .where('subject', '=', 'Below a line of a program')
      .select(['state', 'reason'])
      .execute()
  await until(async () => (await stored()).length > 0)
  assert.deepEqual(await stored(), [{ state: 'held', reason: 'no_message' }])
})

test('a bounce for several recipients is about the e-mail whose return address is among them', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  await aTicket(desk, client)
  desk.clock.turn(60)
  const { emails } = await desk.deliver()
  const { returnPath, from } = emails.findLast(({ to }) => to === client.email)!
  const { send } = await listening('smtp')
  const notice = { From: 'MAILER-DAEMON@mx.example.com', To: null, Subject: 'Undelivered Mail' }

  await send(aMail(notice, `<${client.email}>: 550 5.1.1 User unknown\n`), ['support@desk.example', returnPath!], '')

  const marks = () => desk.db.selectFrom('undeliverable_addresses').select(['email', 'reason']).execute()
  await until(async () => (await marks()).length > 0)
  assert.deepEqual(await marks(), [{ email: client.email, reason: 'no such address' }])
  assert.match(returnPath!, /^support\+e\d+-[0-9a-f]{20}@desk\.example$/)
  assert.equal((from as { address: string }).address, 'support@desk.example')
})

test('mails for others, too large ones and what is none are refused for good, and nothing is stored but a row of the log for each', async () => {
  const { send, port } = await listening('smtp')
  const rows = await desk.rowCounts()

  await assert.rejects(send(aMail(), 'else@desk.example'), { responseCode: 550 })
  await assert.rejects(send(aMail({}, 'x\n'.repeat(100_000)), 'support@desk.example'), { responseCode: 552 })
  await assert.rejects(send('\r\nno header\r\n', 'support@desk.example'), { responseCode: 554 })
  const declared = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true } as object)
  const said = { envelope: { from: 'ada@example.com', to: 'support@desk.example', size: 200_000 }, raw: aMail() }
  await assert.rejects(declared.sendMail(said), { responseCode: 552 })
  declared.close()

  await until(async () => (await desk.rowCounts()).mail_log === rows.mail_log! + 4)
  assert.deepEqual(await desk.rowCounts(), { ...rows, mail_log: rows.mail_log! + 4 })
  const { mails } = (await desk.post('/api/admin/mail/log/list', admin, { outcome: 'refused', limit: 4 })).data
  assert.deepEqual(mails.map(({ reason, to }: { reason: string; to: string[] }) => `${reason} ${to}`).sort(), [
    'no_message support@desk.example',
    'too_large support@desk.example',
    'too_large support@desk.example',
    'unknown_recipient else@desk.example'
  ])
})

test('what is too large and comes by the pipe, which can tell nobody, is held by as much of it as is taken, once', async () => {
  const headers = { From: 'large@example.com', Subject: 'Large', 'Content-Type': 'multipart/mixed; boundary=x' }
  const parts = ['--x', '', 'The beginning.', '--x', 'Content-Type: application/pdf; name=a.pdf', '', '']
  const raw = aMail(headers, `${parts.join('\n')}${randomBytes(200_000).toString('latin1')}`)
  const mail = Buffer.from(raw, 'latin1')
  const receive = receiverOf(desk, { cutsTooLarge: true })

  const [first, again] = [await receive(mail), await receive(mail)]

  assert.deepEqual([first.outcome, first.reason, first.sender], ['held', 'too_large', 'large@example.com'])
  assert.equal(again.outcome, 'duplicate')
  const { mails } = (await desk.post('/api/admin/mail/held/list', admin, {})).data
  const held = mails.find(({ subject }: { subject: string }) => subject === 'Large')
  assert.equal(held?.size, 100_000, JSON.stringify(mails))
  const released = await desk.post('/api/admin/mail/held/release', admin, { id: held.id })
  const { messages } = (await desk.post('/api/admin/tickets/detail', admin, { id: released.data.ticket_id })).data
  assert.match(messages[0].message, /^The beginning\./, JSON.stringify(released))
  const noMail = { raw: Readable.from([Buffer.alloc(200_000, 'x\n')]), via: 'command', cutsTooLarge: true } as const
  await assert.rejects(storeMail(desk.services, noMail), NoMessage)
})

test('while nothing can be stored the mail server is to try again', async () => {
  const { send } = await listening('smtp')
  const { files } = desk.services
  const stage = files.stage
  files.stage = async content => {
    content.resume()
    throw new Error('no room')
  }

  await assert.rejects(send(aMail(), 'support@desk.example'), { responseCode: 451 })
  files.stage = stage
})

/** Says these lines at once when it is greeted, whatever the other side answers then, and tells all that it has said until the connection ends. */
async function saying(port: number, said: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const [greeting] = await once(socket, 'data')
  socket.write(said, 'latin1')
  return `${greeting}${await text(socket)}`
}

test('lines that end in other ways end no mail: nobody smuggles another one in', async () => {
  const { port } = await listening('smtp')
  const inner =
    'MAIL FROM:<eve@example.com>\r\nRCPT TO:<support@desk.example>\r\nDATA\r\nFrom: eve@smuggled.example\r\n\r\nx\r\n.\r\n'
  const ways = ['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r\n.\r']
  const mails = ways.map(
    (way, at) =>
      `MAIL FROM:<ada@example.com>\r\nRCPT TO:<support@desk.example>\r\nDATA\r\nFrom: ada-${at}@smuggling.example\r\n\r\nwords${way}${inner}`
  )

  const answers = await saying(port, `EHLO x\r\n${mails.join('')}QUIT\r\n`)

  assert.equal(answers.match(/^250 .*Ok: taken/gm)?.length, ways.length, answers)
  const stored = () =>
    desk.db.selectFrom('inbound_mails').where('sender', 'like', '%@smuggl%').select('sender').orderBy('id').execute()
  await until(async () => (await stored()).length === ways.length)
  assert.deepEqual(
    (await stored()).map(({ sender }) => sender).toSorted(),
    ways.map((_, at) => `ada-${at}@smuggling.example`)
  )
})

test('who tries out addresses, opens many connections or talks without end is cut off', async () => {
  const { port } = await listening('smtp', {}, { longest: 2_000 })
  const tries = Array.from({ length: 30 }, (_, at) => `RCPT TO:<guess-${at}@desk.example>\r\n`)

  const answers = await saying(port, `EHLO x\r\nMAIL FROM:<eve@example.com>\r\n${tries.join('')}`)
  const [, ...others] = await Promise.all(Array.from({ length: 12 }, () => saying(port, 'EHLO x\r\n')))

  assert.equal(answers.match(/^550 /gm)?.length, 9, answers)
  assert.match(answers, /^421 4\.7\.0 Too many unknown addresses/m)
  // All have ended, though none has said that it would.
  assert.ok(
    others.some(said => said.startsWith('421 4.7.0 Too many connections')),
    others.join()
  )
})
