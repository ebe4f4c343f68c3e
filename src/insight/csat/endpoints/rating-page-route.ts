import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { type Language, languageAmong } from '../../../core/wording/languages.ts'
import { readBody } from '../../../kit/body/read-body.ts'
import { type Caller, callerOf } from '../../../kit/caller.ts'
import { Failure } from '../../../kit/errors.ts'
import { tokenOf } from '../../../kit/link-page.ts'
import { smallPageHeaders } from '../../../kit/small-page.ts'
import { askingPage, votingPage } from '../answer-rating-page.ts'
import { ratingPath } from '../due-surveys.ts'
import { goneRatingPage } from '../rating-page.ts'
import { SurveyNotFound } from '../surveys.ts'

/**
 * The page behind the links of a rating e-mail. Opening it votes nothing, since mail scanners open every link: only its button does, by a POST (Q1).
 * It is a plain route, since it returns HTML.
 */
export function ratingPageRoute(app: FastifyInstance, services: Services): void {
  // Links of former e-mails have the token in the query.
  for (const url of [`${ratingPath}/:token`, ratingPath]) serve(app, services, url)
}

function serve(app: FastifyInstance, services: Services, url: string): void {
  app.route({
    method: ['GET', 'HEAD'],
    url,
    handler: (request, reply) =>
      answer(services, request, reply, async visit => {
        const { rating } = request.query as { rating?: unknown }
        return await askingPage(services, { ...visit, rating })
      })
  })
  app.post(url, (request, reply) =>
    answer(services, request, reply, async visit => {
      const { fields } = await readBody(request.raw, limits, undefined)
      const sent = (name: string) => fields.get(name)?.[0]?.value
      return await votingPage(services, { ...visit, rating: sent('rating'), comment: sent('comment') })
    })
  )
}

const limits = { maxBytes: 20_000, maxFiles: 0, maxFileBytes: 0, maxParts: 10 }

/** In the language of the browser, else that of the desk. */
async function answer(
  { db, config }: Pick<Services, 'db' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  page: (visit: { token: string; caller: Caller; language: Language }) => Promise<string>
) {
  const language = languageAmong(request.headers['accept-language']) ?? (await settingsOf(db)).settings.language
  const token = (request.params as { token?: string }).token ?? tokenOf(request)
  reply.headers(smallPageHeaders)
  try {
    return await reply.send(await page({ token, caller: callerOf(request), language }))
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== SurveyNotFound) throw error
    return await reply.code(404).send(goneRatingPage(language, config.BASE_URL))
  }
}
