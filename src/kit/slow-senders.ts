import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

export interface Patience {
  /** A body that brings less than this… */
  minBytesPerSecond: number
  /** …over this time is given up. */
  stallMilliseconds: number
  /** Who goes on sending after the answer is cut off after this time: long enough to have heard the answer. */
  lingerMilliseconds: number
}

interface Reception {
  response: ServerResponse
  /** What the socket had brought when the present stretch of waiting began. */
  bytes: number
  waitedMilliseconds: number
  lingeredMilliseconds: number
}

/**
 * Cuts off who sends a body so slowly that it is meant to hold a connection, and who goes on sending after having been answered.
 * The time limit of a whole request alone would have to be long enough for a large upload over a slow line, and so lets a hostile
 * client hold a connection as long with a few bytes. Only the time counts in which we wait for the sender, never the time in which
 * the sender waits for us.
 */
export function cutOffSlowSenders(app: FastifyInstance, patience: Patience): void {
  const receptions = new Map<IncomingMessage, Reception>()
  const tickMilliseconds = Math.min(1000, patience.stallMilliseconds / 4)

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
    if (reception.lingeredMilliseconds >= patience.lingerMilliseconds) socket.destroy()
  }

  function wait({ socket }: IncomingMessage, reception: Reception): void {
    reception.waitedMilliseconds += tickMilliseconds
    if (reception.waitedMilliseconds < patience.stallMilliseconds) return
    const expected = (patience.minBytesPerSecond * reception.waitedMilliseconds) / 1000
    if (socket.bytesRead - reception.bytes < expected) {
      // As Node.js does when its own time limits are over: it is answered where broken HTTP is.
      const late = Object.assign(new Error('The body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      app.server.emit('clientError', late, socket)
    } else {
      reception.bytes = socket.bytesRead
      reception.waitedMilliseconds = 0
    }
  }
}
