import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** A proxy between a client and a server that can be cut silently: data is accepted, and never arrives. */
export interface TcpProxy {
  /** Where it listens, on 127.0.0.1. */
  port: number
  cut(): void
  /** New connections work again; those that existed when it was cut stay silent. */
  restore(): void
  /** Redirects to another server, and closes existing connections. */
  redirectTo(other: NetConnectOpts): void
  close(): void
}

export async function tcpProxy(to: NetConnectOpts): Promise<TcpProxy> {
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
      // Connections that existed when the wire was cut never hear from the other side again.
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
    restore() {
      isCut = false
    },
    redirectTo(other) {
      target = other
      for (const socket of ends) socket.destroy()
    },
    close() {
      server.close()
      for (const socket of ends) socket.destroy()
    }
  }
}
