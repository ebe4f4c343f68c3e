import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, callerOf } from './caller.ts'
import { Failure } from './errors.ts'
import { escaped, smallPage, smallPageHeaders } from './small-page.ts'

/** The page behind a link of an e-mail. No endpoint, since it answers HTML; a failure is told in its words. */
interface LinkPage {
  path: string
  title: string
  /** Says what it is about, with one button. It changes nothing, since mail programs open links to look into them. */
  asks(token: string): Promise<string>
  /** Does it, and says so. */
  does(token: string, caller: Caller): Promise<string>
}

export function serveLinkPage(app: FastifyInstance, { path, title, asks, does }: LinkPage): void {
  const answer = async (reply: FastifyReply, content: Promise<string>) => {
    reply.headers(smallPageHeaders)
    try {
      return await reply.send(smallPage(title, await content))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return await reply.code(error.status).send(smallPage(title, `<p>${escaped(error.message)}.</p>`))
    }
  }
  app.get(path, { exposeHeadRoute: false }, (request, reply) => answer(reply, asks(tokenOf(request))))
  app.post(path, (request, reply) => answer(reply, does(tokenOf(request), callerOf(request))))
}

/** What the link bears. */
export function tokenOf(request: FastifyRequest): string {
  const { token } = request.query as { token?: unknown }
  return typeof token === 'string' ? token : ''
}
