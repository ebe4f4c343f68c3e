import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'

/** A request that a receiver of webhooks got. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The event in it. */
  // biome-ignore lint/suspicious/noExplicitAny: of every kind.
  event: any
}

export interface Receiver {
  url: string
  port: number
  requests: Received[]
  /** Responds with 200 unless a test replaces it. */
  answer(response: ServerResponse, request: Received): void
  /** Resolves once this many requests have arrived. */
  got(count: number): Promise<Received[]>
}

/** A receiver of webhooks on this machine: a real server, with TLS when it is given a certificate. */
export async function aWebhookReceiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const requests: Received[] = []
  let heard = () => {}
  const receiver: Receiver = {
    requests,
    url: '',
    port: 0,
    answer: response => void response.writeHead(200).end('thank you'),
    async got(count) {
      while (requests.length < count) {
        const { promise, resolve } = Promise.withResolvers<void>()
        heard = resolve
        await promise
      }
      return requests
    }
  }
  const handle: RequestListener = async (incoming, response) => {
    const body = await text(incoming)
    const request = { path: incoming.url!, headers: incoming.headers, body, event: JSON.parse(body) }
    requests.push(request)
    heard()
    receiver.answer(response, request)
  }
  const server = tls ? createSecureServer(tls, handle) : createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.port = (server.address() as AddressInfo).port
  receiver.url = `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${receiver.port}/hook`
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return receiver
}

/** A server without HTTP: `speak` handles each connection as it likes. Returns its URL. */
export async function aTcpReceiver(speak: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createPlainServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    speak(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}
