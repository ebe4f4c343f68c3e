import type { FastifyInstance } from 'fastify'
import { noteCall, type programOf, writeCalls } from '../../core/api-tokens/last-calls.ts'
import type { Services } from '../../core/services.ts'
import type { Failure } from '../../kit/errors.ts'
import { plainAddress } from '../../lib/network.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The service account that calls, and its token. */
    program: ReturnType<typeof programOf>
    /** Why it failed, if so. */
    refusal: Failure | undefined
  }
}

/** Keeps what service accounts call, and why it was refused. */
export function keepCallsOfPrograms(app: FastifyInstance, services: Services): void {
  app.decorateRequest('program', undefined)
  app.decorateRequest('refusal', undefined)
  app.addHook('onResponse', (request, reply, done) => {
    const { program, refusal } = request
    if (program) {
      noteCall(services, {
        ...program,
        path: request.raw.url!.split('?', 1)[0]!,
        status: reply.statusCode,
        reason: refusal?.kind.reason ?? null,
        missing: refusal?.lacks ?? null,
        ip: plainAddress(request.ip),
        at: services.realClock.now()
      })
    }
    done()
  })
  app.addHook('onClose', () => writeCalls(services))
}
