import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { MailboxNotFound } from '../../../mail/mailboxes/connected-mailboxes.ts'
import { updateMailbox as changeMailbox, MailboxExists } from '../change-mailboxes.ts'
import { MailboxChanges } from '../mailbox-bodies.ts'
import { ConnectedMailboxView, connectedMailboxView } from '../schemas.ts'
import { stateOfMailbox } from '../state-of-mailbox.ts'

/**
 * Changes the given fields of a mailbox. A secret that is left out stays; a saved password or sign-in is sent to no other server than
 * before. All processes take up the change within seconds.
 */
export const updateMailbox = endpoint({
  path: '/api/admin/mail/mailboxes/update',
  aliases: ['/api/admin/mail/mailboxes/:id/update'],
  summary: 'Change a mailbox',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(), ...MailboxChanges.properties, expected_version: ExpectedVersion }),
  synonyms: { mailbox_id: 'id' },
  data: Type.Object({ mailbox: ConnectedMailboxView }),
  errors: [MailboxNotFound, VersionConflict, MailboxExists],
  async handle({ body, actor, caller, services }) {
    const mailbox = await changeMailbox(services, actor, caller, body)
    const state = await stateOfMailbox(services, mailbox)
    return { message: 'Mailbox updated', data: { mailbox: connectedMailboxView(services.keys, mailbox, state) } }
  }
})
