import { type SetCookie, stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { sessionCookie } from '../../../core/sessions/page-sessions.ts'
import { callerOf } from '../../../kit/caller.ts'
import { NotFound } from '../../../kit/errors.ts'
import { takesHtml } from '../../../kit/takes-html.ts'
import { populationOf } from '../attempts.ts'
import { providerBySlug } from '../providers.ts'
import { pageWithoutProvider, refusedPage, returnAddress, signInPage } from '../return-address.ts'
import { endSignIn, startSignIn } from '../sign-in-by-provider.ts'
import { attemptCookieOf, attemptCookies, challengeCookie, endedAttemptCookie } from '../sso-cookies.ts'

const maxCharacters = 4_000

/** The two addresses that a browser follows to a provider and back. They are no endpoints: they answer with redirects, and tokens only by cookie. */
export function ssoRoutes(app: FastifyInstance, services: Services): void {
  const { config, db } = services

  app.get('/api/sso/:slug/start', { exposeHeadRoute: false }, async (request, reply) => {
    const provider = await providerBySlug(db, slugOf(request))
    const query = fieldsOf(request)
    const wanted = query.get('population')
    if (!provider?.is_active || (wanted !== null && wanted !== provider.population)) {
      if (!takesHtml(request)) throw NotFound()
      return await redirected(reply, pageWithoutProvider(wanted === 'staff' ? 'staff' : 'client'), [])
    }
    const returnTo = returnAddress(provider.population, query.get('return_to'), config)
    const caller = callerOf(request)
    const begun = await startSignIn(services, provider, { returnTo, purpose: 'sign-in' }, caller.ip)
    if ('error' in begun) return await redirected(reply, refusedPage(provider, begun), [])
    return await redirected(reply, begun.url, attemptCookies(config, caller.cookies(), begun))
  })

  app.get('/api/sso/:slug/callback', { exposeHeadRoute: false }, async (request, reply) => {
    const provider = await providerBySlug(db, slugOf(request))
    const caller = callerOf(request)
    const answer = fieldsOf(request)
    const state = answer.get('state') ?? ''
    const cookie = attemptCookieOf(config, caller.cookies(), state)
    const used = endedAttemptCookie(config, state)
    if (!provider) {
      if (!takesHtml(request)) throw NotFound()
      return await redirected(reply, pageWithoutProvider(populationOf(cookie)), [used])
    }
    const { population } = provider
    const end = await endSignIn(services, provider, { answer, cookie }, caller)
    if ('error' in end) return await redirected(reply, refusedPage(provider, end), [used])
    if ('tempToken' in end) {
      const page = signInPage(population, { sso: 'code' }, end.returnTo)
      return await redirected(reply, page, [used, challengeCookie(config, end.tempToken)])
    }
    const session = 'tokens' in end ? [sessionCookie(config, population, end.tokens.refresh_token)] : []
    return await redirected(reply, end.returnTo, [used, ...session])
  })
}

async function redirected(reply: FastifyReply, to: string, cookies: readonly SetCookie[]): Promise<FastifyReply> {
  for (const cookie of cookies) reply.header('set-cookie', stringifySetCookie(cookie))
  return await reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(to, 302)
}

function slugOf(request: FastifyRequest): string {
  return String((request.params as { slug?: string }).slug ?? '')
    .replaceAll('\0', '')
    .slice(0, 100)
}

/** The query, of which each field counts once and is bounded. */
function fieldsOf(request: FastifyRequest): URLSearchParams {
  const fields = Object.entries(request.query as Record<string, unknown>)
  return new URLSearchParams(
    fields.flatMap(([name, value]) =>
      typeof value === 'string' && value.length <= maxCharacters ? [[name, value] as [string, string]] : []
    )
  )
}
