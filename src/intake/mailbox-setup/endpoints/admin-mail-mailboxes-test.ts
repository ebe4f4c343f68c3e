import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OneOf, Text } from '../../../kit/schemas.ts'
import { connectedMailbox, MailboxNotFound } from '../../../mail/mailboxes/connected-mailboxes.ts'
import { mailboxTokens } from '../../../mail/mailboxes/mailbox-tokens.ts'
import { mailboxTestView } from '../../mailbox/schemas.ts'
import { checkMailbox, mailboxNamed } from '../../mailbox/test-mailbox.ts'
import { testSteps } from '../step-result.ts'
import { messageOf, nothingTried, TestedMailbox, testedView } from '../test-schemas.ts'
import { testMailboxSteps } from '../test-steps.ts'

/**
 * Tests a mailbox: connect, log in, list, send an e-mail to itself, receive it back. A step that fails ends the test with a result that says
 * what is wrong, not with an error. `steps` tries only these; `sent` of a former response is received back. A mailbox of IMAP_URL is named by
 * `name`; of that only the login and the folder are tried.
 */
export const testMailbox = endpoint({
  path: '/api/admin/mail/mailboxes/test',
  aliases: ['/api/admin/mail/mailboxes/:id/test'],
  summary: 'Test a mailbox step by step',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({
    id: Type.Optional(Id()),
    name: Type.Optional(Text(2000, 'imaps://support%40example.com@imap.example.com/INBOX')),
    steps: Type.Optional(Type.Array(OneOf(testSteps), { minItems: 1, maxItems: testSteps.length, 'x-one': true })),
    sent: Type.Optional(Text(500, '<test.4fWq@example.com>'))
  }),
  synonyms: { mailbox: 'name', mailbox_id: 'id' },
  data: TestedMailbox,
  errors: [MailboxNotFound],
  async handle({ body, services, disconnected }) {
    if (body.id === undefined && body.name === undefined) return nothingTried
    if (body.id === undefined) {
      const address = mailboxNamed(services.config, body.name!)
      const tried = await checkMailbox(services.config, address, mailboxTokens(services)(address))
      return {
        message: tried.isUsable ? 'The mailbox can be used' : 'The mailbox cannot be used',
        data: { ...mailboxTestView(address.name, tried), steps: [], sent: null }
      }
    }
    const mailbox = await connectedMailbox(services.db, body.id)
    const { steps, sent } = await testMailboxSteps(services, mailbox, {
      steps: body.steps,
      sent: body.sent,
      signal: disconnected()
    })
    return { message: messageOf(steps), data: testedView(steps, sent) }
  }
})
