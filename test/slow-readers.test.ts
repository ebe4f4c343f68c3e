import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { buildApp } from '../src/app.ts'
import { bootDesk } from './support/desk.ts'
import { aClient } from './support/people.ts'
import { aFile, aTicket } from './support/tickets.ts'

// The system between two programs on one machine takes megabytes, and moves them in pieces of 64 KB: so the least rate is high here.
const desk = await bootDesk({ config: { STALL_SECONDS: 1, MIN_BYTES_PER_SECOND: 200_000 } })
const client = await aClient(desk)
const app = await buildApp(desk.services)
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
after(() => app.close())

const sizeBytes = 24 * 1024 * 1024
let path: string
before(async () => {
  const { attachments } = await aTicket(desk, client, {}, [aFile('film.zip', new Uint8Array(sizeBytes))])
  path = attachments[0].file_path
})

describe('a large answer', { concurrency: true }, () => {
  test('is cut off where it is read more slowly than the least rate, though something moves all the time', async () => {
    const { socket, closed } = download()

    const read = await readSlowly(socket, closed, 300)

    assert.ok(read < sizeBytes, `${read} bytes were read`)
  })

  test('is cut off where nobody reads it', async () => {
    const { socket, closed } = download()
    socket.pause()
    const { response } = await begun()

    await once(response, 'close')

    assert.equal(response.writableFinished, false)
    socket.destroy()
    await closed
  })

  test('arrives whole where it is read with pauses, but fast enough', async () => {
    const { socket, closed } = download()

    const read = await readSlowly(socket, closed, 2)

    assert.ok(read >= sizeBytes, `${read} of ${sizeBytes} bytes were read`)
  })
})

/** The next request whose answer begins. */
async function begun() {
  const [, response] = (await once(app.server, 'request')) as [unknown, import('node:http').ServerResponse]
  return { response }
}

function download(): { socket: Socket; closed: Promise<unknown> } {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  const closed = new Promise(resolve => socket.once('close', resolve))
  const lines = ['Host: desk', `Authorization: Bearer ${client.token}`, 'Connection: close']
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  return { socket, closed }
}

/** Reads a piece, rests, reads the next, until the connection is over. Answers how many bytes came. */
async function readSlowly(socket: Socket, closed: Promise<unknown>, restMilliseconds: number): Promise<number> {
  let isOver = false
  let read = 0
  closed.then(() => {
    isOver = true
  })
  socket.on('data', chunk => {
    read += chunk.length
    socket.pause()
  })
  while (!isOver) {
    await pause(restMilliseconds)
    socket.resume()
  }
  return read
}
