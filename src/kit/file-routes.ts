import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AnswerHeaders, sendAnswer } from './answers.ts'
import type { FileAnswer } from './file-answer.ts'

/** A request for a file by the address that a link names. */
export interface FileRequest {
  /** What stands in the places of the path. */
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  authorization: string | undefined
  /** Says whose request it is, once that is known; for the log. */
  isBy(account: string): void
}

/**
 * Files outside the API, at addresses that browsers open: by GET, without a body, and without the gates of endpoints. `find` judges who may
 * have the file, by a signed link or a bearer, and for everybody else there is no such file: never 401 or 403, which would tell that there is.
 */
export interface FileRoute<Services> {
  path: `/${string}`
  /** Answers HEAD as well. */
  head?: true
  find(services: Services, asked: FileRequest): Promise<FileAnswer & AnswerHeaders>
}

export function serveFiles<Services>(
  app: FastifyInstance,
  routes: readonly FileRoute<Services>[],
  services: Services
): void {
  for (const { path, head, find } of routes) {
    app.route({
      method: head ? ['GET', 'HEAD'] : 'GET',
      url: path,
      ...(head ? {} : { exposeHeadRoute: false }),
      handler: async (request, reply) => {
        const answer = await find(services, asked(request))
        return await sendAnswer(request, reply, answer, { status: 200, write: ({ message }) => message })
      }
    })
  }
}

function asked(request: FastifyRequest): FileRequest {
  return {
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    authorization: request.headers.authorization,
    isBy(account) {
      request.account = account
    }
  }
}
