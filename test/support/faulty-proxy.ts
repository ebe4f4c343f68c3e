import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** A forwarded request. */
export interface ForwardedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** The fate of a request: it is forwarded, it is lost, its response is lost (`half` of it arrives), or it is answered in place. */
export type Outcome =
  | 'pass'
  | 'lose'
  | 'lose answer'
  | 'half'
  | { status: number; headers?: OutgoingHttpHeaders; body?: string }

/** A network in front of a desk: `fate` decides about each request, given the number of earlier ones like it. */
export async function faultyProxy(deskUrl: string, fate: (request: ForwardedRequest, before: number) => Outcome) {
  const passed: ForwardedRequest[] = []
  const answered: string[] = []
  const { hostname, port } = new URL(deskUrl)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const one = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks) }
    const before = passed.filter(other => other.path === one.path).length
    passed.push(one)
    const end = fate(one, before)
    if (end === 'lose') return response.destroy()
    if (typeof end === 'object') return response.writeHead(end.status, end.headers).end(end.body ?? '')
    const { 'transfer-encoding': _, ...headers } = { ...request.headers, 'content-length': String(one.body.length) }
    const onward = send({ hostname, port, path: one.path, method: request.method, headers }, answer => {
      if (end === 'lose answer') return answer.resume().once('end', () => response.destroy())
      response.writeHead(answer.statusCode!, answer.headers)
      if (end === 'half') answer.once('data', chunk => response.write(chunk.subarray(0, 5), () => response.destroy()))
      else answer.pipe(response)
      answer.once('data', () => answered.push(one.path))
    })
    response.once('close', () => onward.destroy())
    onward.on('error', () => response.destroy())
    onward.end(one.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    /** What came to an address, in order. */
    to: (path: string) => passed.filter(one => one.path === path),
    /** The paths whose response has begun to arrive. */
    answered,
    /** Breaks every connection that is open. */
    cut: () => server.closeAllConnections()
  }
}
