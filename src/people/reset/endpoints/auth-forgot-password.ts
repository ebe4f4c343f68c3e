import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Email, OutputText, Text } from '../../../kit/schemas.ts'
import { NoSuchAccount } from '../../clients/client-by-email.ts'
import { EmailUnconfirmed } from '../../clients/email-changes.ts'
import { sendResetLink } from '../send-reset-link.ts'

/** E-mails a password reset link; the response includes token and link unless DISCLOSE_CODES is off (decision 21). */
export const forgotPassword = endpoint({
  path: '/api/auth/forgot-password',
  aliases: ['/api/auth/forget-password'],
  summary: 'E-mail a client a password reset link',
  access: 'public',
  answersSecrets: true,
  body: Type.Object({
    email: Email(),
    redirect_url: Type.Optional(Text(2048, 'https://example.com/reset-password'))
  }),
  data: Type.Object({
    email: OutputText('ada@example.com'),
    reset_token: Type.Optional(OutputText('eyJhbGciOiJIUzI1NiJ9.eyJyZXNldCI6MX0.c2lnbmF0dXJl')),
    reset_link: Type.Optional(
      OutputText('https://example.com/reset-password?token=eyJhbGciOi&email=ada%40example.com')
    ),
    expires_in: Type.Integer({ examples: [3600] })
  }),
  errors: [NoSuchAccount, TooManyAttempts, EmailUnconfirmed],
  async handle({ body, services, caller }) {
    const { email, token, link, expiresInSeconds } = await sendResetLink(
      services,
      { email: body.email, redirectUrl: body.redirect_url },
      caller
    )
    const disclosed = services.config.DISCLOSE_CODES ? { reset_token: token, reset_link: link } : {}
    return {
      message: 'A link to choose a new password has been sent by e-mail',
      data: { email, ...disclosed, expires_in: expiresInSeconds }
    }
  }
})
