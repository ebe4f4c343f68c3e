import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../core/config.ts'

/** The address cannot be listened on. The message is one sentence that names the setting. */
class CannotListen extends Error {}

const minuteMilliseconds = 60_000

export interface Listening {
  port: number
  /** Stops accepting connections, answers running requests, and closes each connection once idle; what is not answered in time is cut off. */
  stop(withinMilliseconds: number): Promise<void>
}

/** An address to listen on, and the settings that define it. */
interface ListenAddress {
  host: string
  port: number
  settings: { host: string; port: string }
  /** Printed before the address once it listens. */
  says: string
}

/** The address of the service. */
function servicePlace({ HOST, PORT }: Config): ListenAddress {
  return { host: HOST, port: PORT, settings: { host: 'HOST', port: 'PORT' }, says: 'listening on' }
}

/** The address of health and metrics, if they have their own. */
export function monitoringAddress({ METRICS_HOST, METRICS_PORT }: Config): ListenAddress | undefined {
  if (METRICS_PORT === undefined) return undefined
  const settings = { host: 'METRICS_HOST', port: 'METRICS_PORT' }
  return { host: METRICS_HOST, port: METRICS_PORT, settings, says: 'health and metrics on' }
}

/** Listens at this address: `localhost` means both address families, as far as the machine has them. */
export async function listen(
  app: FastifyInstance,
  config: Config,
  place: ListenAddress = servicePlace(config)
): Promise<Listening> {
  const [first, second] = addressesOf(place.host)
  const sockets = new Set<Socket>()
  app.server.on('connection', socket => sockets.add(socket.once('close', () => sockets.delete(socket))))
  boundConnections(app.server, app, config)
  const port = await bindFirst(app, first, place)
  const others: Server[] = []
  if (second) {
    try {
      const server = await bindSecond(app, second, port, place, config)
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
      // A connection whose request has just been answered would be kept alive for the next one, and one that never sent a request does not count
      // as idle.
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

/** Throws `CannotListen` if the service, or health and metrics, could not listen, unless to another Deskline; tries it for a moment. */
export async function refuseUnusableAddresses(config: Config): Promise<void> {
  for (const place of [servicePlace(config), monitoringAddress(config)]) {
    if (place) await tryPlace(place, { besides: isDeskline })
  }
}

/** The same before a start, which comes to nothing if another Deskline has the port as well; nothing was made by then. */
export async function refuseTakenAddresses(config: Config): Promise<void> {
  for (const place of [servicePlace(config), monitoringAddress(config)]) {
    if (place && place.port !== 0) await tryPlace(place, { besides: async () => false })
  }
}

async function tryPlace(
  place: ListenAddress,
  holder: { besides(host: string, port: number): Promise<boolean> }
): Promise<void> {
  const [host] = addressesOf(place.host)
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ port: place.port, host }, resolve)
    })
    await closeServer(server)
  } catch (error) {
    if (host === '::' && hasNoSuchAddress(error)) return await tryPlace({ ...place, host: '0.0.0.0' }, holder)
    if (!(isTaken(error) && (await holder.besides(host, place.port)))) throw asCannotListen(error, place)
  }
}

function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
}

/** Whether the port is used by another Deskline: `/livez` tells. */
async function isDeskline(host: string, port: number): Promise<boolean> {
  const name = host === '::' || host === '0.0.0.0' ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  try {
    const answer = await fetch(`http://${name}:${port}/livez`, { signal: AbortSignal.timeout(2_000) })
    return ((await answer.json()) as { message?: unknown }).message === 'Alive'
  } catch {
    return false
  }
}

function addressesOf(host: string): [string, string?] {
  const plain = host.replace(/^\[(.*)\]$/, '$1')
  return plain.toLowerCase() === 'localhost' ? ['127.0.0.1', '::1'] : [plain]
}

async function bindFirst(app: FastifyInstance, host: string, place: ListenAddress): Promise<number> {
  const listenTextResolver = (address: string) => `${place.says} ${shown(address, place)}`
  try {
    await app.listen({ port: place.port, host, listenTextResolver })
  } catch (error) {
    // All interfaces of a machine without IPv6.
    if (host === '::' && hasNoSuchAddress(error)) return await bindFirst(app, '0.0.0.0', place)
    throw asCannotListen(error, place)
  }
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : place.port
}

/** Connections to the second address are passed to the one HTTP server, which so knows all of them when it stops. */
async function bindSecond(
  app: FastifyInstance,
  host: string,
  port: number,
  place: ListenAddress,
  config: Config
): Promise<Server | undefined> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, socket => app.server.emit('connection', socket))
  boundConnections(server, app, config)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ port, host, ipv6Only: isIPv6(host) }, resolve)
    })
    return server
  } catch (error) {
    if (hasNoSuchAddress(error)) return undefined
    throw asCannotListen(error, place)
  }
}

/** Above the limit new connections are dropped; idle ones make room. */
function boundConnections(server: Server, app: FastifyInstance, { MAX_CONNECTIONS }: Config): void {
  let warnedAt = 0
  server.maxConnections = MAX_CONNECTIONS
  // With several processes on one port they would be passed around without end.
  Object.assign(server, { dropMaxConnection: true })
  server.on('drop', () => {
    app.server.closeIdleConnections()
    if (Date.now() - warnedAt < minuteMilliseconds) return
    warnedAt = Date.now()
    app.log.warn(`MAX_CONNECTIONS ${MAX_CONNECTIONS} are open: new ones are rejected`)
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => server.close(() => resolve()))
}

function shown(address: string, { host }: ListenAddress): string {
  return host.toLowerCase() === 'localhost' ? address.replace('127.0.0.1', 'localhost') : address
}

function hasNoSuchAddress(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function asCannotListen(error: unknown, { host, port, settings }: ListenAddress): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new CannotListen(
        `${settings.port} ${port} is taken by another program: stop that one, or set ${settings.port} to another number.`
      )
    case 'EACCES':
    case 'EPERM':
      return new CannotListen(
        `${settings.port} ${port} may not be used by this user: set ${settings.port} to a number from 1024 up.`
      )
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CannotListen(
        `${settings.host} ${host} is not an address of this machine: set ${settings.host} to one, or to localhost.`
      )
    default:
      return error
  }
}
