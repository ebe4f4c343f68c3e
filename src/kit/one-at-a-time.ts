import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many requests may wait on a connection for the answer to the one before them; more is no pipelining but an attack. */
const maxWaiting = 100

type Exchange = [request: IncomingMessage, response: ServerResponse]

const waiting = Symbol('requests that wait')

/** A connection that is being answered has a list, of what waits on it. On the socket itself: a WeakMap is dear to the collector of garbage. */
type Connection = Socket & { [waiting]?: Exchange[] | undefined }

/**
 * Hands on one request at a time of each connection. Node.js hands on at once all that a client sends in one go (pipelining), and only
 * keeps the answers in order: a thousand downloads that nobody reads would be open at the same time, and a few kilobytes could ask for
 * seconds of work. The next request of a connection begins when the answer before it has been handed to the system.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  return (request, response) => {
    const socket: Connection = request.socket
    const queue = socket[waiting]
    if (queue) {
      queue.push([request, response])
      if (queue.length > maxWaiting) socket.destroy()
    } else {
      socket[waiting] = []
      begin(request, response)
    }
  }

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const socket: Connection = request.socket
    // Also when the connection is gone: then nothing that waits on it begins.
    response.once('close', () => {
      const next = socket[waiting]?.shift()
      if (next && !socket.destroyed) begin(...next)
      else socket[waiting] = undefined
    })
    handle(request, response)
  }
}
