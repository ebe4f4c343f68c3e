import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The maximum number of pipelined requests that wait on a connection; more is an attack. */
const maxWaiting = 100

type Exchange = [request: IncomingMessage, response: ServerResponse]

const waiting = Symbol('requests that wait')

/** The waiting requests of a busy connection, stored on the socket itself, because a WeakMap costs garbage collection time. */
type Connection = Socket & { [waiting]?: Exchange[] | undefined }

/**
 * Processes the pipelined requests of a connection one at a time. Node.js starts all of them at once, and only
 * keeps the responses in order: a thousand unread downloads could be open at the same time, and a few kilobytes could request
 * seconds of work. The next request starts when the previous response has been handed to the operating system.
 */
export function serializePipelinedRequests(handle: RequestListener): RequestListener {
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
    // Also when the connection has closed: then no waiting request starts.
    response.once('close', () => {
      const next = socket[waiting]?.shift()
      if (next && !socket.destroyed) begin(...next)
      else socket[waiting] = undefined
    })
    handle(request, response)
  }
}
