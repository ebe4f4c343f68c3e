import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port for a program that must be given one. It is below the ephemeral range, from which the system could assign it to somebody else first. */
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
