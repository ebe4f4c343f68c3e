import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Text } from '../../../kit/schemas.ts'
import { mailboxTokens } from '../mailbox-tokens.ts'
import { MailboxTestView, mailboxTestView } from '../schemas.ts'
import { checkMailbox, MailboxNotFound, mailboxNamed } from '../test-mailbox.ts'

/** Logs in to a mailbox and opens its folder. If that fails, the response is a result with the reason, not an error. */
export const testMailbox = endpoint({
  path: '/api/admin/mail/mailboxes/test',
  summary: 'Test the connection to a mailbox',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ name: Text(2000, 'imaps://support%40example.com@imap.example.com/INBOX') }),
  synonyms: { mailbox: 'name' },
  data: MailboxTestView,
  errors: [MailboxNotFound],
  async handle({ body, services }) {
    const address = mailboxNamed(services.config, body.name)
    const tried = await checkMailbox(services.config, address, mailboxTokens(services)(address))
    return {
      message: tried.isUsable ? 'The mailbox can be used' : 'The mailbox cannot be used',
      data: mailboxTestView(body.name, tried)
    }
  }
})
