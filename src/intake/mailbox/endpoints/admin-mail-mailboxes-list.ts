import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { inboundChannels, mailboxesOf } from '../mailbox-list.ts'
import { MailboxView, MailChannelView, mailboxView, mailChannelView } from '../schemas.ts'

/** Lists the mailboxes of IMAP_URL, without their passwords, with the state of each; and all channels of incoming e-mail. */
export const listMailboxes = endpoint({
  path: '/api/admin/mail/mailboxes/list',
  aliases: ['/api/admin/mail/mailboxes'],
  summary: 'List the mailboxes and other sources of incoming e-mail',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({}),
  data: Type.Object({
    count: Type.Integer(),
    mailboxes: Type.Array(MailboxView),
    ways: Type.Array(MailChannelView)
  }),
  async handle({ services }) {
    const mailboxes = await mailboxesOf(services)
    const ways = await inboundChannels(services)
    return {
      message: 'Mailboxes',
      data: { count: mailboxes.length, mailboxes: mailboxes.map(mailboxView), ways: ways.map(mailChannelView) }
    }
  }
})
