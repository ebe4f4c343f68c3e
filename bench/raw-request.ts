import { connect } from 'node:net'

/** Sends one HTTP message and returns the status and the body of its response. */
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
