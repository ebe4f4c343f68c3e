import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { connectedMailbox, MailboxNotFound } from '../../../mail/mailboxes/connected-mailboxes.ts'
import { successorsOf } from '../../../mail/support-addresses/ticket-address.ts'
import { ConnectedMailboxView, connectedMailboxView } from '../schemas.ts'
import { callbackUrl } from '../sign-in.ts'
import { stateOfMailbox } from '../state-of-mailbox.ts'

/** Shows a mailbox without its secrets. */
export const showMailbox = endpoint({
  path: '/api/admin/mail/mailboxes/detail',
  aliases: ['/api/admin/mail/mailboxes/:id', '/api/admin/mail/mailboxes/:id/detail'],
  summary: 'Show a mailbox that was connected in the browser',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ id: Id() }),
  synonyms: { mailbox_id: 'id' },
  data: Type.Object({
    mailbox: ConnectedMailboxView,
    /** If it is deleted, where the answers in its tickets can come from: the first unless another is chosen. */
    successors: Type.Array(OutputText('sales@example.com')),
    /** The address to give to the provider when the desk is registered there. */
    callback_url: OutputText('https://support.example.com/api/mail/oauth/callback')
  }),
  errors: [MailboxNotFound],
  async handle({ body, services }) {
    const mailbox = await connectedMailbox(services.db, body.id)
    const state = await stateOfMailbox(services, mailbox)
    return {
      message: 'Mailbox',
      data: {
        mailbox: connectedMailboxView(services.keys, mailbox, state),
        successors: await successorsOf(services, mailbox),
        callback_url: callbackUrl(services.config)
      }
    }
  }
})
