import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isEventStream } from './event-stream.ts'

export interface ReadingPatience {
  /** Who takes less of an answer than this… */
  minBytesPerSecond: number
  /** …over this time is cut off. */
  stallMilliseconds: number
}

interface Sending {
  /** The answer that is being sent. */
  response: ServerResponse | undefined
  /** What the system had taken when the present stretch began. */
  taken: number
  waitedMilliseconds: number
}

/** What Node.js knows of a socket beyond its types; it judges its own time limits by the same numbers. */
type Inside = Socket & {
  _httpMessage?: ServerResponse | null
  _bytesDispatched?: number
  _handle?: { writeQueueSize?: number } | null
}

/**
 * Cuts off who reads an answer so slowly that it is meant to hold the answer in our memory, or a file open. Only the time counts in
 * which something waits to be sent, never that in which we are still working on the answer. It looks at connections from time to time,
 * so that a request costs nothing more.
 */
export function cutOffSlowReaders(app: FastifyInstance, patience: ReadingPatience): void {
  const sendings = new Map<Inside, Sending>()
  const tickMilliseconds = Math.min(1000, patience.stallMilliseconds / 4)

  app.server.on('connection', (socket: Socket) => {
    sendings.set(socket, { response: undefined, taken: 0, waitedMilliseconds: 0 })
    socket.once('close', () => sendings.delete(socket))
  })

  const timer = setInterval(() => {
    for (const [socket, sending] of sendings) if (!socket.destroyed) look(socket, sending)
  }, tickMilliseconds).unref()
  app.addHook('onClose', async () => clearInterval(timer))

  function look(socket: Inside, sending: Sending): void {
    const response = socket._httpMessage ?? undefined
    if (response !== sending.response) Object.assign(sending, { response, waitedMilliseconds: 0 })
    // Readers of streams are dropped by how much waits for them: see `maxBufferedBytes`.
    if (!response?.headersSent || isEventStream(response)) return
    if (response.writableLength > 0 || socket.writableLength > 0) judge(socket, sending)
  }

  function judge(socket: Inside, sending: Sending): void {
    if (sending.waitedMilliseconds === 0) sending.taken = takenBySystem(socket)
    sending.waitedMilliseconds += tickMilliseconds
    if (sending.waitedMilliseconds <= patience.stallMilliseconds) return
    const expected = (patience.minBytesPerSecond * patience.stallMilliseconds) / 1000
    // Reset, so that the system lets go at once of what it has taken.
    if (takenBySystem(socket) - sending.taken < expected) socket.resetAndDestroy()
    sending.waitedMilliseconds = 0
  }
}

/** How many bytes the system has taken of a socket. Of a large answer, which is handed over in one piece, part by part. */
function takenBySystem(socket: Inside): number {
  return (socket._bytesDispatched ?? socket.bytesWritten) - (socket._handle?.writeQueueSize ?? 0)
}
