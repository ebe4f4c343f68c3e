import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { MailboxNotFound } from '../../../mail/mailboxes/connected-mailboxes.ts'
import { beginSignIn, NoProvider } from '../sign-in.ts'
import { signInCookie } from './mail-oauth-callback.ts'

/**
 * Begins to sign in at the provider of a mailbox: the browser goes to `url`, and the provider sends it back to `/api/mail/oauth/callback`.
 * That counts once, within a quarter of an hour, and only with the cookie of this response.
 */
export const connectMailbox = endpoint({
  path: '/api/admin/mail/mailboxes/connect',
  aliases: ['/api/admin/mail/mailboxes/:id/connect'],
  summary: 'Sign in at the provider of a mailbox',
  access: 'admin',
  answersSecrets: true,
  body: Type.Object({ id: Id() }),
  synonyms: { mailbox_id: 'id' },
  data: Type.Object({ url: OutputText('https://login.example.com/authorize?state=…') }),
  errors: [MailboxNotFound, NoProvider],
  async handle({ body, session, services }) {
    const { url, cookie } = await beginSignIn(services, session, body.id)
    return {
      message: 'Sign in at the provider',
      data: { url },
      cookies: [signInCookie(services.config, cookie)]
    }
  }
})
