import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { readConfig } from '../core/config.ts'
import { listen } from './listening.ts'

test('above MAX_CONNECTIONS newcomers are dropped, and those that idle make room', async () => {
  const app = Fastify()
  app.get('/', async () => 'here')
  const config = { ...readConfig({ HOST: '127.0.0.1', PORT: '0' }), PORT: 0, MAX_CONNECTIONS: 2 }
  const { port, stop } = await listen(app, config)
  const idle = [await answered(port), await answered(port)]

  const dropped = connect(port, '127.0.0.1').on('error', () => {})
  await Promise.all([once(dropped, 'close'), ...idle.map(socket => once(socket, 'close'))])
  const next = await answered(port)

  next.destroy()
  await stop(1000)
})

/** A connection that has had an answer and is kept alive. */
async function answered(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: desk\r\n\r\n')
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 200/)
  return socket
}
