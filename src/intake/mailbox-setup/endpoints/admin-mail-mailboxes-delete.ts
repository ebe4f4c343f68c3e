import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Text } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { MailboxNotFound } from '../../../mail/mailboxes/connected-mailboxes.ts'
import { deleteMailbox as removeMailbox } from '../change-mailboxes.ts'

/**
 * Deletes a mailbox and its secrets here; nothing is deleted at the provider, and its tickets stay. Answers in them come from `answers_from`, another
 * address of the desk, else from that of their department.
 */
export const deleteMailbox = endpoint({
  path: '/api/admin/mail/mailboxes/delete',
  aliases: ['/api/admin/mail/mailboxes/:id/delete'],
  summary: 'Delete a mailbox',
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    id: Id(),
    answers_from: Type.Optional(Text(320, 'sales@example.com')),
    expected_version: ExpectedVersion
  }),
  synonyms: { mailbox_id: 'id' },
  data: Type.Object({ deleted_id: Id() }),
  errors: [MailboxNotFound, VersionConflict],
  async handle({ body, actor, caller, services }) {
    await removeMailbox(services, actor, caller, body)
    return { message: 'Mailbox deleted', data: { deleted_id: body.id } }
  }
})
