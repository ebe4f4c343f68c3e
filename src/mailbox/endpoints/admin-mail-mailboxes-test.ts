import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Flag, Shown, Text } from '../../kit/schemas.ts'
import { bit } from '../../lib/views.ts'
import { mailboxTokens } from '../mailbox-tokens.ts'
import { MailboxNotFound, mailboxNamed, tryMailbox } from '../test-mailbox.ts'

/** Logs in to a mailbox and opens its folder. What comes of that is an answer, not a failure. */
export const testMailbox = endpoint({
  path: '/api/admin/mail/mailboxes/test',
  summary: 'Test whether a mailbox can be used',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ name: Text(2000, 'imaps://support%40example.com@imap.example.com/INBOX') }),
  synonyms: { mailbox: 'name' },
  data: Type.Object({
    name: Shown('imaps://support%40example.com@imap.example.com/INBOX'),
    is_usable: Flag(),
    result: Shown('imap.example.com lets support@example.com in: INBOX holds 12 mails, of which 3 are unread')
  }),
  errors: [MailboxNotFound],
  async handle({ body, services }) {
    const address = mailboxNamed(services.config, body.name)
    const { isUsable, sentence } = await tryMailbox(services.config, address, mailboxTokens(services)(address))
    return {
      message: isUsable ? 'The mailbox can be used' : 'The mailbox cannot be used',
      data: { name: body.name, is_usable: bit(isUsable), result: sentence }
    }
  }
})
