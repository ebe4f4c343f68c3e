import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface ReadingPatience {
  /** Who takes less of an answer than this… */
  minBytesPerSecond: number
  /** …over this time is cut off. */
  stallMilliseconds: number
}

interface Sending {
  /** What the system had taken when the present stretch began. */
  taken: number
  waitedMilliseconds: number
}

/** What Node.js knows of a socket beyond its types; it judges its own time limits by the same numbers. */
type Inside = Socket & { _bytesDispatched?: number; _handle?: { writeQueueSize?: number } | null }

/**
 * Cuts off who reads an answer so slowly that it is meant to hold the answer in our memory, or a file open. Only the time counts in
 * which something waits to be sent, never that in which we are still working on the answer.
 */
export function cutOffSlowReaders(app: FastifyInstance, patience: ReadingPatience): void {
  const sendings = new Map<ServerResponse, Sending>()
  const tickMilliseconds = Math.min(1000, patience.stallMilliseconds / 4)

  app.addHook('onRequest', (_request, { raw: response }, done) => {
    sendings.set(response, { taken: 0, waitedMilliseconds: 0 })
    response.once('close', () => sendings.delete(response))
    done()
  })

  const timer = setInterval(() => {
    for (const [response, sending] of sendings) {
      const { socket } = response
      if (socket && !socket.destroyed && waitsToBeSent(response)) judge(socket, sending)
    }
  }, tickMilliseconds).unref()
  app.addHook('onClose', async () => clearInterval(timer))

  function judge(socket: Socket, sending: Sending): void {
    if (sending.waitedMilliseconds === 0) sending.taken = takenBySystem(socket)
    sending.waitedMilliseconds += tickMilliseconds
    if (sending.waitedMilliseconds <= patience.stallMilliseconds) return
    const expected = (patience.minBytesPerSecond * patience.stallMilliseconds) / 1000
    // Reset, so that the system lets go at once of what it has taken.
    if (takenBySystem(socket) - sending.taken < expected) socket.resetAndDestroy()
    sending.waitedMilliseconds = 0
  }
}

function waitsToBeSent(response: ServerResponse): boolean {
  const { socket } = response
  return response.headersSent && (response.writableLength > 0 || (socket?.writableLength ?? 0) > 0)
}

/** How many bytes the system has taken of a socket. Of a large answer, which is handed over in one piece, part by part. */
function takenBySystem(socket: Inside): number {
  return (socket._bytesDispatched ?? socket.bytesWritten) - (socket._handle?.writeQueueSize ?? 0)
}
