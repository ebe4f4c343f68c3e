import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { inboundChannels, mailboxesOf } from '../../mailbox/mailbox-list.ts'
import { MailChannelView, mailChannelView } from '../../mailbox/schemas.ts'
import { ConnectedMailboxView, connectedMailboxView, OperatorsMailboxView, operatorsMailboxView } from '../schemas.ts'
import { statesOfMailboxes } from '../state-of-mailbox.ts'

/**
 * Lists the mailboxes that admins have connected and those of IMAP_URL, without their secrets, with the state of each; and all channels of
 * incoming e-mail.
 */
export const listMailboxes = endpoint({
  path: '/api/admin/mail/mailboxes/list',
  aliases: ['/api/admin/mail/mailboxes'],
  summary: 'List the mailboxes and other sources of incoming e-mail',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({}),
  data: Type.Object({
    count: Type.Integer(),
    mailboxes: Type.Array(Type.Union([ConnectedMailboxView, OperatorsMailboxView])),
    ways: Type.Array(MailChannelView)
  }),
  async handle({ services }) {
    const connected = await statesOfMailboxes(services)
    const operators = await mailboxesOf(services)
    const ways = await inboundChannels(services)
    return {
      message: 'Mailboxes',
      data: {
        count: connected.length + operators.length,
        mailboxes: [
          ...connected.map(({ mailbox, state }) => connectedMailboxView(services.keys, mailbox, state)),
          ...operators.map(operatorsMailboxView)
        ],
        ways: ways.map(mailChannelView)
      }
    }
  }
})
