import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'

/** A request that an SMS gateway got. */
export interface GatewayRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A gateway on this machine that answers as `answer` says: it takes everything unless a test has it do otherwise. */
export async function smsGateway() {
  const requests: GatewayRequest[] = []
  const gateway = {
    requests,
    host: '',
    answer: (response: ServerResponse, _request: GatewayRequest): void => {
      response.writeHead(202).end('queued')
    }
  }
  const server = createServer(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, headers, body: await text(incoming) }
    requests.push(request)
    gateway.answer(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  gateway.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return gateway
}
