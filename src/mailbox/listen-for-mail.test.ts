import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import nodemailer from 'nodemailer'
import { bootDesk } from '../../test/support/desk.ts'
import { certificatePath, keyPath } from '../../test/support/mail-server.ts'
import { aMail } from '../../test/support/mails.ts'
import { anAdmin } from '../../test/support/people.ts'
import type { Config } from '../config.ts'
import { listenForMail } from './listen-for-mail.ts'

const desk = await bootDesk({ connections: 6, config: { MAIL_MAX_BYTES: 100_000 } })
const admin = await anAdmin(desk)
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })

async function listening(protocol: 'lmtp' | 'smtp', { tls, ...config }: { tls?: object } & Partial<Config> = {}) {
  desk.services.config = { ...desk.services.config, ...config, MAIL_LISTEN: { protocol, host: '127.0.0.1', port: 0 } }
  const server = (await listenForMail(desk.services))!
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
  const send = (raw: string, to: string, from = 'ada@example.com') =>
    transport.sendMail({ raw, envelope: { from, to } })
  return { send, stop: server.stop }
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

test('mails for others, too large ones and what is none are refused for good, and nothing is stored', async () => {
  const { send } = await listening('smtp')
  const rows = await desk.rowCounts()

  await assert.rejects(send(aMail(), 'else@desk.example'), { responseCode: 550 })
  await assert.rejects(send(aMail({}, 'x\n'.repeat(100_000)), 'support@desk.example'), { responseCode: 552 })
  await assert.rejects(send('\r\nno header\r\n', 'support@desk.example'), { responseCode: 554 })

  assert.deepEqual(await desk.rowCounts(), rows)
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
