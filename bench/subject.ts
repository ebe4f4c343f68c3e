import { connect } from 'node:net'

/** What a request says by name: the claims of its token and the fields of its body. */
export type Subject = Record<string, unknown>

/** The claims of a bearer, believed as they are: it is the floor that reads them, which checks nothing. */
export function claimsOf(authorization: string | undefined): Subject {
  const payload = authorization?.split('.')[1]
  return payload ? (JSON.parse(Buffer.from(payload, 'base64url').toString()) as Subject) : {}
}

/** The same of a request as it travels. */
export async function subjectOf(request: Buffer): Promise<Subject> {
  const border = request.indexOf('\r\n\r\n')
  const head = request.toString('latin1', 0, border)
  const body = request.subarray(border + 4)
  const claims = claimsOf(/^authorization: (.*)$/im.exec(head)?.[1])
  const type = /^content-type: (.*)$/im.exec(head)?.[1]
  if (body.length === 0) return claims
  if (type === 'application/json') return { ...claims, ...JSON.parse(body.toString()) }
  const form = await new Response(body, { headers: { 'content-type': type! } }).formData()
  return { ...claims, ...Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')) }
}

/** Sends one request as it is. */
export async function rawRequest(port: number, request: Buffer): Promise<{ status: number; answer: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; answer: string }>()
  const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request))
  let text = ''
  socket.setEncoding('utf8').on('data', chunk => {
    text += chunk
    const border = text.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
    if (border < 0 || Buffer.byteLength(text) < Buffer.byteLength(text.slice(0, border + 4)) + length) return
    socket.end()
    resolve({ status: Number(text.slice(9, 12)), answer: text.slice(border + 4) })
  })
  socket.on('error', reject)
  socket.on('close', () => reject(new Error(`The connection was closed without a whole answer: ${text.slice(0, 200)}`)))
  return await promise
}
