import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

/** The address cannot be listened on. The message is one sentence that names the setting. */
class CannotListen extends Error {}

export interface Listening {
  port: number
  /**
   * Accepts nobody any more, answers what is in flight, closes each connection as soon as it idles; what is not answered in time is
   * cut off.
   */
  stop(withinMilliseconds: number): Promise<void>
}

/** Whether only this machine can reach a service that listens on `host`. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|\[?::ffff:127(\.\d{1,3}){3}\]?)$/i.test(host)
}

/** Listens where HOST and PORT say: `localhost` is both families of addresses, as far as the machine has them. */
export async function listen(app: FastifyInstance, config: Config): Promise<Listening> {
  const [first, second] = addressesOf(config.HOST)
  const sockets = new Set<Socket>()
  app.server.on('connection', socket => sockets.add(socket.once('close', () => sockets.delete(socket))))
  const port = await bindFirst(app, first, config)
  const others: Server[] = []
  if (second) {
    try {
      const server = await bindSecond(app, second, port, config)
      if (server) others.push(server)
    } catch (error) {
      await app.close()
      throw error
    }
  }

  return {
    port,
    async stop(withinMilliseconds) {
      const closed = [app.close(), ...others.map(closeServer)]
      // A connection whose request has just been answered would be kept alive for the next one, and one that never
      // brought a request does not count as idle.
      const idle = setInterval(() => {
        app.server.closeIdleConnections()
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      }, 50)
      const late = setTimeout(() => app.server.closeAllConnections(), withinMilliseconds)
      await Promise.all(closed)
      clearInterval(idle)
      clearTimeout(late)
    }
  }
}

function addressesOf(host: string): [string, string?] {
  const plain = host.replace(/^\[(.*)\]$/, '$1')
  return plain.toLowerCase() === 'localhost' ? ['127.0.0.1', '::1'] : [plain]
}

async function bindFirst(app: FastifyInstance, host: string, config: Config): Promise<number> {
  const listenTextResolver = (address: string) => `listening on ${shown(address, config)}`
  try {
    await app.listen({ port: config.PORT, host, listenTextResolver })
  } catch (error) {
    // All interfaces of a machine without IPv6.
    if (host === '::' && hasNoSuchAddress(error)) return await bindFirst(app, '0.0.0.0', config)
    throw asCannotListen(error, config)
  }
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : config.PORT
}

/** Connections to the second address are handed to the one HTTP server, which so knows them all when it stops. */
async function bindSecond(
  app: FastifyInstance,
  host: string,
  port: number,
  config: Config
): Promise<Server | undefined> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, socket => app.server.emit('connection', socket))
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ port, host, ipv6Only: isIPv6(host) }, resolve)
    })
    return server
  } catch (error) {
    if (hasNoSuchAddress(error)) return undefined
    throw asCannotListen(error, config)
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => server.close(() => resolve()))
}

function shown(address: string, { HOST }: Config): string {
  return HOST.toLowerCase() === 'localhost' ? address.replace('127.0.0.1', 'localhost') : address
}

function hasNoSuchAddress(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function asCannotListen(error: unknown, { HOST, PORT }: Config): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new CannotListen(`PORT ${PORT} is taken by another program: stop that one, or set PORT to another number.`)
    case 'EACCES':
    case 'EPERM':
      return new CannotListen(`PORT ${PORT} may not be used by this user: set PORT to a number from 1024 up.`)
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CannotListen(`HOST ${HOST} is not an address of this machine: set HOST to one, or to localhost.`)
    default:
      return error
  }
}
