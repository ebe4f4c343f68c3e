import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../core/services.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import { readBody } from '../../kit/body/read-body.ts'
import { callerOf } from '../../kit/caller.ts'
import { Forbidden, InvalidFields } from '../../kit/errors.ts'
import { sightOf } from '../articles/visibility.ts'
import { withPaths } from '../reading/article-addresses.ts'
import { answerFeedback } from '../reading/feedback.ts'
import { readableArticle } from '../reading/read-articles.ts'
import { readerOfForm } from './reader-of-pages.ts'
import { pageHeaders } from './serve-page.ts'

/** Takes the answer of a page's form, and leads back to the article. The cookie says nothing here: it is for reading alone (K10). */
export async function answerByForm(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw Forbidden()
  const { fields } = await readBody(
    request.raw,
    { maxBytes: 20_000, maxFiles: 0, maxFileBytes: 0, maxParts: 10 },
    undefined
  )
  const sent = (name: string) => {
    const value = fields.get(name)?.[0]?.value
    return typeof value === 'string' ? value.trim().toWellFormed().replaceAll('\0', '') : ''
  }
  const [id, locale, answer] = [Number(sent('article_id')), sent('locale'), sent('is_helpful')]
  if (!Number.isSafeInteger(id) || id < 1 || !['0', '1'].includes(answer)) throw InvalidFields()
  const actor = (await readerOfForm(services, sent('reader')))?.actor
  const comment = sent('comment').slice(0, 2_000) || null
  const isHelpful = answer === '1'
  await answerFeedback(services, { actor, caller: callerOf(request) }, { article_id: id, locale, isHelpful, comment })
  const { settings } = await settingsOf(services.db)
  const [article] = await withPaths(services.db, [
    await readableArticle(services.db, sightOf(actor, settings, locale), { id })
  ])
  const said = isHelpful ? 'yes' : comment === null ? 'no' : 'sent'
  return await reply.headers(pageHeaders).redirect(`${article!.path}?answer=${said}#feedback`, 303)
}
