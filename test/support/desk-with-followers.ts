import { smtpMail } from '../../src/platform/mail/smtp.ts'
import { smtpAddress } from '../../src/platform/mail/smtp-address.ts'
import { bootDesk } from './desk.ts'
import { type MailServer, mailServer } from './mail-server.ts'
import { aMail, receiverOf } from './mails.ts'
import { aClient, anAdmin, type Person } from './people.ts'

/** A desk whose e-mails go to a real mail server at once, and what it takes to write to a ticket from several sides. */
export async function deskWithFollowers() {
  const server = await mailServer()
  const mail = smtpMail({ address: smtpAddress(`smtp://127.0.0.1:${server.port}`) })
  const desk = await bootDesk({ connections: 6, config: { NOTIFICATION_DELAY_SECONDS: 0 }, services: { mail } })
  const receive = receiverOf(desk)
  const admin = await anAdmin(desk)
  await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })

  async function detail(ticket: number | undefined) {
    return (await desk.post('/api/admin/tickets/detail', admin, { id: ticket })).data
  }

  /** What the mail server has taken since, by whom it was for. */
  async function answeredWith(ticket: number | undefined, message = 'Have you tried water?') {
    await desk.deliver()
    server.emails.length = 0
    await desk.post('/api/tickets/reply', admin, { id: ticket, message })
    await desk.deliver()
    return new Map(server.emails.map(each => [each.to[0]!, each.email]))
  }

  /** A ticket of a client who is known, opened by a mail that others got as well. */
  async function opened(cc: string, client?: Person) {
    const from = client ?? (await aClient(desk, { is_email_verified: true }))
    const { ticket_id, ticket_number } = await receive(aMail({ From: from.email, Cc: cc }))
    return { client: from, id: ticket_id!, number: ticket_number! }
  }

  return { desk, server, receive, admin, detail, answeredWith, opened }
}

/** The signed address to which an e-mail of ours is answered. */
export function replyTo(email: MailServer['emails'][0]['email'] | undefined): string {
  return email!.replyTo![0]!.address!
}
