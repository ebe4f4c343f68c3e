import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { Desk } from './desk.ts'
import type { Reply } from './requests.ts'
import { permittedCallers, type Request, type Route, send } from './routes.ts'

/** What responses must never contain: stacks, SQL, file paths, names of tables and libraries. */
const internals =
  /\.ts\b|\.js\b|node:|node_modules|\bat \w+ \(|select .* from|insert into|violates|constraint|postgres|syntax error|SyntaxError|TypeError|\/(tmp|src|home|var)\/|ENOENT|undefined|\[object/i

export type Sender = (route: Route, request: Request & { path?: string }) => Promise<Reply>

/** Sends as somebody with access to the endpoint; the response must not be a 5xx and must reveal nothing. */
export async function hostileSender(desk: Desk): Promise<Sender> {
  const personFor = await permittedCallers(desk)
  return async (route, { path = route.path, ...request }) => {
    const reply = await send(desk, path, { asker: personFor(route.endpoint), ...request })
    const about = `${path} answered ${JSON.stringify(reply.body)} to ${String(request.body).slice(0, 100)}`
    assert.ok(reply.status < 500, about)
    if (reply.status >= 400) assert.doesNotMatch(reply.body.message, internals, about)
    return reply
  }
}

export interface RawReply {
  status: number
  headers: string
  body: { status: string; code: number; message: string }
}

/** Writes these bytes to a socket, keeps it open and returns what arrives until the service closes it. */
export async function sendRaw(desk: Desk, bytes: string | Buffer): Promise<RawReply> {
  const { promise, resolve, reject } = Promise.withResolvers<RawReply>()
  const { hostname, port } = new URL(desk.url)
  const socket = connect(Number(port), hostname, () => socket.write(bytes))
  let text = ''
  socket.setTimeout(20_000, () => socket.destroy(new Error(`no end of the answer: ${text.slice(0, 200)}`)))
  // Data still on its way when the service has responded and closed is no error.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (!['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) reject(error)
  })
  socket.on('data', chunk => {
    text += chunk
  })
  socket.on('close', () => {
    const [headers, body] = text.split('\r\n\r\n') as [string, string]
    try {
      resolve({ status: Number(headers.split(' ')[1]), headers, body: JSON.parse(body) })
    } catch {
      reject(new Error(`not an answer: ${text.slice(0, 300)}`))
    }
  })
  return await promise
}
