import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { readBody } from '../../../kit/body/read-body.ts'
import { callerOf } from '../../../kit/caller.ts'
import { Failure } from '../../../kit/errors.ts'
import { tokenOf } from '../../../kit/link-page.ts'
import { smallPageHeaders } from '../../../kit/small-page.ts'
import { isUnsubscribedBy, UnknownUnsubscribeToken, unsubscribe } from '../unsubscribe.ts'
import { isFollowerToken, unsubscribePath } from '../unsubscribe-follower.ts'
import {
  confirmUnfollowPage,
  confirmUnsubscribePage,
  invalidLinkPage,
  unfollowedPage,
  unsubscribedPage
} from '../unsubscribe-page.ts'

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
      if (state === undefined) return sendPage(reply, 400, invalidLinkPage)
      return sendPage(reply, 200, pagesFor(request)[state ? 'ended' : 'question'])
    }
  })
  app.post(unsubscribePath, async (request, reply) => {
    await readBody(request.raw, { maxBytes: 10_000, maxFiles: 0, maxFileBytes: 0, maxParts: 10 }, undefined)
    try {
      await unsubscribe(services, tokenOf(request), callerOf(request))
      return sendPage(reply, 200, pagesFor(request).ended)
    } catch (error) {
      if (error instanceof Failure && error.kind === UnknownUnsubscribeToken)
        return sendPage(reply, 400, invalidLinkPage)
      throw error
    }
  })
}

function pagesFor(request: FastifyRequest) {
  return isFollowerToken(tokenOf(request))
    ? { ended: unfollowedPage, question: confirmUnfollowPage }
    : { ended: unsubscribedPage, question: confirmUnsubscribePage }
}

function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  reply.code(status).headers(smallPageHeaders)
  return reply.send(page)
}
