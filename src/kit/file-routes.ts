import type { FastifyInstance, FastifyRequest } from 'fastify'
import { plainAddress } from '../lib/network.ts'
import { type AnswerHeaders, sendAnswer } from './answers.ts'
import type { FileAnswer } from './file-answer.ts'

/** A request for a file by its URL. */
export interface FileRequest {
  /** The parameters of the path. */
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  authorization: string | undefined
  ip: string
  /** Sets the account of the request for the log, once it is known. */
  isBy(account: string): void
}

/**
 * Serves files outside the API, at URLs that browsers open: by GET, without the access checks of endpoints. `find` decides who may
 * download the file, by a signed link or a bearer token; everybody else gets a 404, never a 401 or 403, which would reveal that it exists.
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
    ip: plainAddress(request.ip),
    isBy(account) {
      request.account = account
    }
  }
}
