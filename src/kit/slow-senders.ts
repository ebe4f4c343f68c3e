import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

export interface SlowSenderLimits {
  /** A body that arrives more slowly than this… */
  minBytesPerSecond: number
  /** …over this time is aborted. */
  stallMilliseconds: number
  /** A caller that keeps sending after the response is disconnected after this time, which is enough to receive the response. */
  lingerMilliseconds: number
}

interface Reception {
  response: ServerResponse
  /** How many bytes had arrived when the current waiting period began. */
  bytes: number
  waitedMilliseconds: number
  lingeredMilliseconds: number
}

/**
 * Disconnects callers that send a body very slowly to occupy a connection (Slowloris), and callers that keep sending after the response.
 * The time limit of a whole request is not enough: it must allow a large upload over a slow connection, and would let a hostile
 * client occupy a connection that long with a few bytes. Only the time in which we wait for the sender counts, not the time in which
 * the sender waits for us.
 */
export function disconnectSlowSenders(app: FastifyInstance, limits: SlowSenderLimits): void {
  const receptions = new Map<IncomingMessage, Reception>()
  const tickMilliseconds = Math.min(1000, limits.stallMilliseconds / 4)

  app.addHook('onRequest', ({ raw: request }, { raw: response }, done) => {
    const { headers, socket } = request
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
      receptions.set(request, { response, bytes: socket.bytesRead, waitedMilliseconds: 0, lingeredMilliseconds: 0 })
      request.once('close', () => receptions.delete(request))
    }
    done()
  })

  const timer = setInterval(() => {
    for (const [request, reception] of receptions) {
      if (request.complete) receptions.delete(request)
      else if (reception.response.writableEnded) linger(request, reception)
      else if (request.readableFlowing) wait(request, reception)
    }
  }, tickMilliseconds).unref()
  app.addHook('onClose', async () => clearInterval(timer))

  function linger({ socket }: IncomingMessage, reception: Reception): void {
    reception.lingeredMilliseconds += tickMilliseconds
    if (reception.lingeredMilliseconds >= limits.lingerMilliseconds) socket.destroy()
  }

  function wait({ socket }: IncomingMessage, reception: Reception): void {
    reception.waitedMilliseconds += tickMilliseconds
    if (reception.waitedMilliseconds < limits.stallMilliseconds) return
    const expected = (limits.minBytesPerSecond * reception.waitedMilliseconds) / 1000
    if (socket.bytesRead - reception.bytes < expected) {
      // The same event as for the time limits of Node.js, so that `answerMalformedHttp` responds.
      const late = Object.assign(new Error('The body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      app.server.emit('clientError', late, socket)
    } else {
      reception.bytes = socket.bytesRead
      reception.waitedMilliseconds = 0
    }
  }
}
