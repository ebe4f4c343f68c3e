import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { languageAmong } from '../../../core/wording/languages.ts'
import { readBody } from '../../../kit/body/read-body.ts'
import { callerOf } from '../../../kit/caller.ts'
import { Failure } from '../../../kit/errors.ts'
import { tokenOf } from '../../../kit/link-page.ts'
import { smallPageHeaders } from '../../../kit/small-page.ts'
import { isRatingsToken, isUnsubscribedBy, UnknownUnsubscribeToken, unsubscribe } from '../unsubscribe.ts'
import { isFollowerToken, unsubscribePath } from '../unsubscribe-follower.ts'
import { type UnsubscribePageName, unsubscribePage } from '../unsubscribe-page.ts'

/**
 * The page behind the link of `List-Unsubscribe`, with one button. Opening it changes nothing, since mail scanners follow links; a POST does,
 * from the button or from a mail program (RFC 8058). It is a plain route, since it returns HTML.
 */
export function unsubscribePageRoute(app: FastifyInstance, services: Services): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: unsubscribePath,
    handler: async (request, reply) => {
      const state = await isUnsubscribedBy(services, tokenOf(request))
      if (state === undefined) return await sendPage(services, request, reply, 400, 'invalid')
      return await sendPage(services, request, reply, 200, pagesFor(request)[state ? 'ended' : 'question'])
    }
  })
  app.post(unsubscribePath, async (request, reply) => {
    await readBody(request.raw, { maxBytes: 10_000, maxFiles: 0, maxFileBytes: 0, maxParts: 10 }, undefined)
    try {
      await unsubscribe(services, tokenOf(request), callerOf(request))
      return await sendPage(services, request, reply, 200, pagesFor(request).ended)
    } catch (error) {
      if (error instanceof Failure && error.kind === UnknownUnsubscribeToken)
        return await sendPage(services, request, reply, 400, 'invalid')
      throw error
    }
  })
}

function pagesFor(request: FastifyRequest) {
  const token = tokenOf(request)
  if (isFollowerToken(token)) return { ended: 'unfollowed', question: 'unfollowQuestion' } as const
  if (isRatingsToken(token)) return { ended: 'ratingsEnded', question: 'ratingsQuestion' } as const
  return { ended: 'ended', question: 'question' } as const
}

/** In the language of the browser, else that of the desk. */
async function sendPage(
  { db }: Pick<Services, 'db'>,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  name: UnsubscribePageName
) {
  const language = languageAmong(request.headers['accept-language']) ?? (await settingsOf(db)).settings.language
  return await reply.code(status).headers(smallPageHeaders).send(unsubscribePage(name, language))
}
