import assert from 'node:assert/strict'
import { after } from 'node:test'
import { smtpMail } from '../../src/platform/mail/smtp.ts'
import { smtpAddress } from '../../src/platform/mail/smtp-address.ts'
import { readMail } from '../../src/platform/mail-reading/read-mail.ts'
import { bootDesk } from './desk.ts'
import { mailServer } from './mail-server.ts'
import { receiverOf } from './mails.ts'
import { anAdmin } from './people.ts'
import { form } from './tickets.ts'

/** A desk of several addresses whose e-mails go to a real mail server. */
export async function deskWithMailServer() {
  const server = await mailServer()
  const mail = smtpMail({ address: smtpAddress(`smtp://127.0.0.1:${server.port}`) })
  after(() => mail.close())
  const desk = await bootDesk({
    connections: 6,
    config: {
      NOTIFICATION_DELAY_SECONDS: 0,
      MAIL_FROM: 'Example <support@desk.example>',
      BASE_URL: 'https://desk.example',
      MAIL_ATTACH_MAX_BYTES: 1000
    },
    services: { mail }
  })
  const receive = receiverOf(desk)
  const admin = await anAdmin(desk)
  const settings = {
    name: 'Müller 🚀',
    mail_addresses: { 'support@desk.example': 1, 'billing@desk.example': 4, 'sales@desk.example': 5 },
    mail_names: { 'sales@desk.example': 'Vertrieb „Süd“' }
  }
  assert.equal((await desk.post('/api/admin/settings/update', admin, settings)).status, 200)

  /** What has gone to this address since the last look, as two readers read it. */
  async function mailsTo(address: string) {
    await desk.deliver()
    return server.emails.splice(0).flatMap(({ raw, email, from, to }) => {
      if (to[0] !== address) return []
      const read = readMail(raw, { sender: from, recipient: address })
      const header = (name: string) => email.headers.find(({ key }) => key === name)?.value
      return [{ raw: raw.toString('latin1'), email, read, from, header }]
    })
  }

  async function reply(id: number | undefined, message: string, files: File[] = []): Promise<void> {
    const done = await desk.post('/api/admin/tickets/reply', admin, form({ id, message }, ...files))
    assert.equal(done.status, 201, done.body.message)
  }

  return { desk, server, receive, admin, mailsTo, reply }
}
