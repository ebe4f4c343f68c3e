import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, callerOf } from './caller.ts'
import { Failure } from './errors.ts'
import { escapeHtml, smallPage, smallPageHeaders } from './small-page.ts'

/** The page behind a link in an e-mail. It is no endpoint, since it returns HTML; failures show their text. */
interface LinkPage {
  path: string
  title: string
  /** Shows what the link does, with one button. It changes nothing, since mail programs prefetch links. */
  asks(token: string): Promise<string>
  /** Does it, and confirms it. */
  does(token: string, caller: Caller): Promise<string>
}

export function serveLinkPage(app: FastifyInstance, { path, title, asks, does }: LinkPage): void {
  const answer = async (reply: FastifyReply, content: Promise<string>) => {
    reply.headers(smallPageHeaders)
    try {
      return await reply.send(smallPage(title, await content))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return await reply.code(error.status).send(smallPage(title, `<p>${escapeHtml(error.message)}.</p>`))
    }
  }
  app.get(path, { exposeHeadRoute: false }, (request, reply) => answer(reply, asks(tokenOf(request))))
  app.post(path, (request, reply) => answer(reply, does(tokenOf(request), callerOf(request))))
}

/** The token in the URL of the link; empty if it has none. */
export function tokenOf(request: FastifyRequest): string {
  const { token } = request.query as { token?: unknown }
  return typeof token === 'string' ? token : ''
}
