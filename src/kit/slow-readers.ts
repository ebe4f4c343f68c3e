import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isEventStream } from './event-stream.ts'

export interface SlowReaderLimits {
  /** A caller that reads a response more slowly than this… */
  minBytesPerSecond: number
  /** …over this time is disconnected. */
  stallMilliseconds: number
}

interface Sending {
  /** The response that is being sent. */
  response: ServerResponse | undefined
  /** How many bytes the operating system had accepted when the current period began. */
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
 * Disconnects callers that read a response so slowly that they keep it in our memory, or a file open (slow read attack). Only the time in
 * which data wait to be sent counts, not the time in which we still work on the response. It checks all connections periodically,
 * so a request has no extra cost.
 */
export function disconnectSlowReaders(app: FastifyInstance, limits: SlowReaderLimits): void {
  const sendings = new Map<Inside, Sending>()
  const tickMilliseconds = Math.min(1000, limits.stallMilliseconds / 4)

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
    // Readers of event streams have their own limit: see `maxBufferedBytes`.
    if (!response?.headersSent || isEventStream(response)) return
    if (response.writableLength > 0 || socket.writableLength > 0) judge(socket, sending)
  }

  function judge(socket: Inside, sending: Sending): void {
    if (sending.waitedMilliseconds === 0) sending.taken = takenBySystem(socket)
    sending.waitedMilliseconds += tickMilliseconds
    if (sending.waitedMilliseconds <= limits.stallMilliseconds) return
    const expected = (limits.minBytesPerSecond * limits.stallMilliseconds) / 1000
    // A reset makes the operating system free its buffer at once.
    if (takenBySystem(socket) - sending.taken < expected) socket.resetAndDestroy()
    sending.waitedMilliseconds = 0
  }
}

/** How many bytes of a socket the operating system has accepted, also of a large response that was written in one piece. */
function takenBySystem(socket: Inside): number {
  return (socket._bytesDispatched ?? socket.bytesWritten) - (socket._handle?.writeQueueSize ?? 0)
}
