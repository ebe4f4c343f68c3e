import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { createMailbox as connectMailbox, MailboxExists, TooManyMailboxes } from '../change-mailboxes.ts'
import { NewMailbox } from '../mailbox-bodies.ts'
import { ConnectedMailboxView, connectedMailboxView } from '../schemas.ts'
import { stateOfMailbox } from '../state-of-mailbox.ts'

/** Connects a mailbox. It is saved before it works: the test says whether it does. Its secrets are never returned. */
export const createMailbox = endpoint({
  path: '/api/admin/mail/mailboxes/create',
  summary: 'Connect a mailbox',
  access: 'admin',
  about: 'caller',
  body: NewMailbox,
  status: 201,
  data: Type.Object({ mailbox: ConnectedMailboxView }),
  errors: [MailboxExists, TooManyMailboxes],
  async handle({ body, actor, caller, services }) {
    const mailbox = await connectMailbox(services, actor, caller, body)
    const state = await stateOfMailbox(services, mailbox)
    return { message: 'Mailbox connected', data: { mailbox: connectedMailboxView(services.keys, mailbox, state) } }
  }
})
