import type { FastifyReply, FastifyRequest } from 'fastify'
import { accountName } from '../../core/actor.ts'
import type { Services } from '../../core/services.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import { logoUrlOf } from '../../core/settings/logo.ts'
import { type Audience, audiences } from '../../core/tables/knowledge-base.ts'
import { callerOf } from '../../kit/caller.ts'
import { Failure } from '../../kit/errors.ts'
import { matchesEtag } from '../../lib/entity-tag.ts'
import { ArticleNotFound } from '../articles/articles.ts'
import { CategoryNotFound } from '../articles/categories.ts'
import { audienceWith, sightOf } from '../articles/visibility.ts'
import { helpStateOf, tagOf } from './help-state.ts'
import { notFoundPage } from './not-found-page.ts'
import type { HelpPage, MovedPage, PageContext } from './page-context.ts'
import { localeFor } from './page-locale.ts'
import { formReader, readerOfPages } from './reader-of-pages.ts'

/** The CSP of the pages: no script, one style, and pictures of this server. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

export const pageHeaders = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }

/** Of those that find while one types. */
const findingHeaders = {
  ...pageHeaders,
  'content-security-policy': `${policy}; script-src 'self'; connect-src 'self'`
}

/**
 * Answers with a page, or with 304 to a browser that has it: by its entity tag, which tells for which audience it was made (K9). `isShared`: where it is
 * public, it is the same for all readers; `finds`: it has the script of the search.
 */
export async function servePage(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { isShared = false, finds = false }: { isShared?: boolean; finds?: boolean },
  make: (context: PageContext) => Promise<HelpPage | MovedPage>
): Promise<FastifyReply> {
  reply.headers(finds ? findingHeaders : pageHeaders)
  const reader = await readerOfPages(services, callerOf(request))
  if (reader) request.account = accountName(reader.actor)
  const { locale: asked } = request.params as { locale?: string }
  // Without a language in its address a page depends on the browser's.
  const browser = asked === undefined ? (request.headers['accept-language'] ?? '') : ''
  const [state, url] = [await helpStateOf(services.db), `${browser} ${request.url}`]
  const person = reader && formReader(services, reader)
  const tagFor = (audience: Audience) => tagOf(state, audience, url, person)
  const own = audienceWith(reader?.actor)
  // Whether there is any page at this address ("*") is not known yet.
  const kept = request.headers['if-none-match']?.replaceAll('*', '')
  const known = [own, ...(isShared ? (['public'] as const) : [])].find(audience => matchesEtag(kept, tagFor(audience)))
  if (known)
    return reply
      .code(304)
      .headers(cachingOf(known, tagFor(known), isShared))
      .send()

  const { settings } = await settingsOf(services.db)
  const locale = asked ?? localeFor(request.headers['accept-language'], settings)
  const logo = await logoUrlOf(services.db)
  const sight = sightOf(reader?.actor, settings, locale)
  const [params, asIs] = [textsIn(request.params), textsIn(request.query)]
  const query = Object.fromEntries(Object.entries(asIs).map(([name, text]) => [name, text.replaceAll('\0', '')]))
  try {
    if (!settings.help_languages.includes(locale) || isUnstorable(params)) throw ArticleNotFound()
    const made = await make({ services, settings, logo, locale, reader, sight, params, query })
    if ('to' in made) return await reply.code(301).header('cache-control', 'private, no-cache').redirect(made.to, 301)
    return await reply
      .headers({ ...cachingOf(made.audience, tagFor(made.audience), isShared), 'content-language': locale })
      .send(made.html.html)
  } catch (error) {
    if (!(error instanceof Failure) || ![ArticleNotFound, CategoryNotFound].includes(error.kind)) throw error
    const shown = settings.help_languages.includes(locale)
      ? locale
      : localeFor(request.headers['accept-language'], settings)
    return await reply.code(404).send(notFoundPage({ services, settings, logo, locale: shown }).html)
  }
}

function cachingOf(audience: Audience, etag: string, isShared: boolean): Record<string, string> {
  const isPublic = audience === audiences[0]
  return {
    etag: `W/${etag}`,
    'cache-control': isPublic ? 'public, no-cache' : 'private, no-cache',
    vary: isPublic && isShared ? 'Accept-Language' : 'Cookie, Accept-Language'
  }
}

function textsIn(given: unknown): Record<string, string> {
  const entries = Object.entries(given as Record<string, unknown>)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Nothing has a name that the database cannot hold. */
function isUnstorable(params: Record<string, string>): boolean {
  return Object.values(params).some(text => text.includes('\0'))
}
