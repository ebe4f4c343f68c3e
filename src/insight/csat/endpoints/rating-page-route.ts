import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { logoUrlOf } from '../../../core/settings/logo.ts'
import { languageAmong } from '../../../core/wording/languages.ts'
import { pageHeaders } from '../../../help/pages/serve-page.ts'
import { readBody } from '../../../kit/body/read-body.ts'
import { callerOf } from '../../../kit/caller.ts'
import { tokenOf } from '../../../kit/link-page.ts'
import { askingPage, votingPage } from '../answer-rating-page.ts'
import { ratingPath } from '../due-surveys.ts'

/**
 * The page behind the links of a rating e-mail. Opening it votes nothing, since mail scanners open every link: only its button does, by a POST (Q1).
 * It is a plain route, since it returns HTML.
 */
export function ratingPageRoute(app: FastifyInstance, services: Services): void {
  // Links of former e-mails have the token in the query.
  for (const url of [`${ratingPath}/:token`, ratingPath]) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const { rating } = request.query as { rating?: unknown }
        return await send(reply, await askingPage(await deskFor(services, request), { ...visitOf(request), rating }))
      }
    })
    app.post(url, async (request, reply) => {
      const { fields } = await readBody(request.raw, limits, undefined)
      const sent = (name: string) => fields.get(name)?.[0]?.value
      const visit = { ...visitOf(request), rating: sent('rating'), comment: sent('comment') }
      return await send(reply, await votingPage(await deskFor(services, request), visit))
    })
  }
}

const limits = { maxBytes: 20_000, maxFiles: 0, maxFileBytes: 0, maxParts: 10 }

function visitOf(request: FastifyRequest) {
  const { token } = request.params as { token?: string }
  return { token: token ?? tokenOf(request), caller: callerOf(request) }
}

/** In the language of the browser, else that of the desk. */
async function deskFor(services: Services, request: FastifyRequest) {
  const { settings } = await settingsOf(services.db)
  const locale = languageAmong(request.headers['accept-language']) ?? settings.language
  return { services, settings, locale, logo: await logoUrlOf(services.db) }
}

async function send(reply: FastifyReply, { status, page }: Awaited<ReturnType<typeof askingPage>>) {
  return await reply.code(status).headers(pageHeaders).send(page.html)
}
