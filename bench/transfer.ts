import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'

const chunk = randomBytes(1024 * 1024)

/** Sends a request whose body has this many bytes between `head` and `tail`; returns the status, the body of the response and the time. */
export async function upload(
  port: number,
  path: string,
  headers: Record<string, string>,
  { head, tail, bytes }: { head: Buffer; tail: Buffer; bytes: number }
): Promise<{ status: number; answer: string; seconds: number }> {
  const startedAt = performance.now()
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  const lines = Object.entries({ ...headers, 'content-length': head.length + bytes + tail.length })
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`)
  socket.write(`${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  socket.write(head)
  let said = ''
  socket.setEncoding('utf8').on('data', text => {
    said += text
  })
  const ended = once(socket, 'close')
  for (let left = bytes; left > 0; left -= chunk.length) {
    if (!socket.write(left < chunk.length ? chunk.subarray(0, left) : chunk)) await once(socket, 'drain')
  }
  socket.write(tail)
  await ended
  const seconds = (performance.now() - startedAt) / 1000
  return { status: Number(said.slice(9, 12)), answer: said.slice(said.indexOf('\r\n\r\n') + 4), seconds }
}

/** Downloads a file and discards it; returns the status, the number of bytes and the time. */
export async function download(port: number, path: string, headers: Record<string, string>) {
  const startedAt = performance.now()
  const socket = connect({ port, host: '127.0.0.1' })
  let bytes = 0
  let status = 0
  socket.on('data', data => {
    if (bytes === 0) status = Number(data.toString('latin1', 9, 12))
    bytes += data.length
  })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines.join('')}\r\n`)
  await once(socket, 'close')
  return { status, bytes, seconds: (performance.now() - startedAt) / 1000 }
}
