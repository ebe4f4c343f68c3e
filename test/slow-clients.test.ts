import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { buildApp } from '../src/app.ts'
import { bootDesk } from './support/desk.ts'
import { aClient } from './support/people.ts'
import { aFile, aTicket, storedFiles } from './support/tickets.ts'

// What takes minutes outside takes seconds here. An honest client on a busy machine still gets its headers through in five.
const desk = await bootDesk({
  config: { HEADERS_TIMEOUT_SECONDS: 5, IDLE_TIMEOUT_SECONDS: 3, STALL_SECONDS: 2, MIN_BYTES_PER_SECOND: 250 }
})
const client = await aClient(desk)
const app = await buildApp(desk.services)
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
const sockets: Socket[] = []
after(async () => {
  for (const socket of sockets) socket.destroy()
  await app.close()
})

describe('over a slow line', { concurrency: true }, () => {
  test('an honest client on a slow line is served, however long its body takes', async () => {
    const { socket, text } = opened()
    const parts = [
      ...['department_id:1', 'subject:The printer is on fire', 'message:Slowly.'].map(field => {
        const [name, value] = field.split(':')
        return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      }),
      '--b\r\nContent-Disposition: form-data; name="attachments"; filename="a.txt"\r\n\r\n'
    ].join('')
    const [content, end] = ['x'.repeat(24_000), '\r\n--b--\r\n']
    const length = parts.length + content.length + end.length
    socket.write(headers('/api/tickets/create', 'multipart/form-data; boundary=b', length, client.token) + parts)

    // Nearly twice STALL_SECONDS, at many times MIN_BYTES_PER_SECOND: the machine may be busy.
    await trickle(socket, content, 600, 90)
    socket.write(end)
    while (!text().includes('\r\n\r\n')) await once(socket, 'data')

    assert.match(text(), /^HTTP\/1\.1 201 /)
  })

  describe('a hostile client', { concurrency: true }, () => {
    test('that sends its headers byte by byte is told of the time that it took, and cut off', async () => {
      const { socket, text } = opened()
      trickle(socket, `POST /api/check HTTP/1.1\r\nHost: desk\r\nX-Long: ${'x'.repeat(10_000)}`, 1)

      await once(socket, 'end')

      assertTimedOut(text())
    })

    test('that sends a body byte by byte is told of it, and cut off', async () => {
      const { socket, text } = opened()
      socket.write(headers('/api/auth/login', 'application/json', 10_000))
      trickle(socket, 'x'.repeat(10_000), 1)

      await once(socket, 'end')

      assertTimedOut(text())
    })

    test('that sends most of a body at once and the rest byte by byte is cut off all the same', async () => {
      const { socket, text } = opened()
      socket.write(headers('/api/auth/login', 'application/json', 900_000))
      socket.write(`{"email":"${'x'.repeat(800_000)}`)
      trickle(socket, 'x'.repeat(90_000), 1)

      await once(socket, 'end')

      assertTimedOut(text())
    })

    test('that sends a file byte by byte is cut off', async () => {
      const { socket, text } = opened()
      socket.write(headers('/api/tickets/create', 'multipart/form-data; boundary=b', 100_000, client.token))
      socket.write('--b\r\nContent-Disposition: form-data; name="attachments"; filename="a.txt"\r\n\r\n')
      trickle(socket, 'x'.repeat(90_000), 1)

      await once(socket, 'end')

      assertTimedOut(text())
    })

    test('that says nothing, or nothing after having been refused, is cut off', async () => {
      const silent = opened()
      const refused = opened()
      refused.socket.write('this is no HTTP\r\n\r\n')

      await Promise.all([once(silent.socket, 'end'), once(refused.socket, 'end')])

      assert.match(refused.text(), /^HTTP\/1\.1 400 /)
    })

    test('that asks for a file and never reads it is not waited for', async () => {
      const content = new Uint8Array(20 * 1024 * 1024)
      const { attachments } = await aTicket(desk, client, {}, [aFile('a.bin.zip', content)])
      const { socket } = opened()
      const start = `GET ${attachments[0].file_path} HTTP/1.1\r\nHost: desk\r\nAuthorization: Bearer ${client.token}\r\n\r\n`

      socket.write(start)
      await once(socket, 'data')
      socket.pause()
    })
  })
})

test('nothing of theirs is left, no connection and no part of a file, though they never hung up', async () => {
  const deadline = Date.now() + 60_000
  const connections = promisify(app.server.getConnections.bind(app.server))
  const left = async () => [await connections(), (await storedFiles(desk)).length]
  const { ticket_attachments: known } = await desk.rowCounts()

  while ((await left()).join() !== `0,${known}` && Date.now() < deadline) await pause(50)

  assert.deepEqual(await left(), [0, known])
})

function opened(): { socket: Socket; text(): string } {
  // Half open, as somebody is who never hangs up.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('utf8')
  sockets.push(socket)
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  socket.on('error', () => {})
  return { socket, text: () => text }
}

function headers(path: string, type: string, length: number, token = 'none'): string {
  const lines = ['Host: desk', `Content-Type: ${type}`, `Content-Length: ${length}`, `Authorization: Bearer ${token}`]
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

/** Sends a text piece by piece until the socket is closed. */
async function trickle(socket: Socket, text: string, size: number, everyMilliseconds = 100): Promise<void> {
  for (let at = 0; at < text.length && !socket.destroyed; at += size) {
    socket.write(text.slice(at, at + size))
    await pause(everyMilliseconds, undefined, { ref: false })
  }
}

function assertTimedOut(text: string): void {
  assert.match(text, /^HTTP\/1\.1 408 /)
  assert.equal(JSON.parse(text.split('\r\n\r\n')[1]!).code, 408)
}
