import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** Stands between somebody and a server, and can be cut so that nobody is told: what is sent is taken, and never arrives. */
export interface Wire {
  /** Where it listens, on 127.0.0.1. */
  port: number
  cut(): void
  /** New connections get through again; those that were there when it was cut stay silent. */
  mend(): void
  /** From now on it leads to another server; those who were connected are hung up on. */
  leadTo(other: NetConnectOpts): void
  close(): void
}

export async function aWire(to: NetConnectOpts): Promise<Wire> {
  const ends = new Set<Socket>()
  let isCut = false
  let target = to
  const server = createServer(near => {
    const far = connect(target)
    for (const [socket, other] of [
      [near, far],
      [far, near]
    ] as const) {
      ends.add(socket)
      // Who was there when the wire was cut never hears of the other side again.
      let isSilent = isCut
      socket.on('silence', () => {
        isSilent = true
      })
      socket.on('data', bytes => {
        if (!isSilent) other.write(bytes)
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        ends.delete(socket)
        if (!isSilent) other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as { port: number }).port,
    cut() {
      isCut = true
      for (const socket of ends) socket.emit('silence')
    },
    mend() {
      isCut = false
    },
    leadTo(other) {
      target = other
      for (const socket of ends) socket.destroy()
    },
    close() {
      server.close()
      for (const socket of ends) socket.destroy()
    }
  }
}
