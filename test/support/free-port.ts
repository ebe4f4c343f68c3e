import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port for a program that wants to be told one. It is below those that systems give to connections, and to whoever asks for any: they
 * would take it before the program does.
 */
export async function freePort(): Promise<number> {
  for (let tries = 100; tries > 0; tries--) {
    const port = randomInt(10_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false
    )
    server.close()
    if (isFree) return port
  }
  throw new Error('No port is free')
}
