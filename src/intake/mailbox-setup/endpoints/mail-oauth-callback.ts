import type { SetCookie } from 'cookie'
import { stringifySetCookie } from 'cookie'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { callerOf } from '../../../kit/caller.ts'
import { endSignIn } from '../sign-in.ts'

const path = '/api/mail/oauth/callback'
const lifetimeSeconds = 900
const maxCharacters = 4_000

/** The provider sends the browser back from another site, so the cookie comes with a link that is followed (`lax`). */
export function signInCookie({ BASE_URL }: { BASE_URL: string }, value: string): SetCookie {
  const secure = new URL(BASE_URL).protocol === 'https:'
  return {
    name: nameOfCookie(secure),
    value,
    path: '/',
    httpOnly: true,
    secure,
    sameSite: 'lax',
    maxAge: value === '' ? 0 : lifetimeSeconds
  }
}

function nameOfCookie(isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}deskline-mailbox-sign-in`
}

/** Where a provider sends the browser back after a sign-in. It is no endpoint, since it answers with a redirect to the page of the mailbox. */
export function mailOauthCallback(app: FastifyInstance, services: Services): void {
  const { config } = services
  app.get(path, { exposeHeadRoute: false }, async (request, reply) => {
    const caller = callerOf(request)
    const query = request.query as Record<string, unknown>
    const field = (name: string) => {
      const value = query[name]
      return typeof value === 'string' && value.length <= maxCharacters ? value : ''
    }
    const cookie = caller.cookies()[nameOfCookie(new URL(config.BASE_URL).protocol === 'https:')] ?? ''
    const { mailboxId, outcome } = await endSignIn(
      services,
      { state: field('state'), code: field('code'), error: field('error'), cookie },
      caller
    )
    const page = mailboxId === undefined ? '/desk/settings/email' : `/desk/settings/email/${mailboxId}`
    return await reply
      .header('set-cookie', stringifySetCookie(signInCookie(config, '')))
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .redirect(`${page}?sign_in=${outcome}`, 302)
  })
}
