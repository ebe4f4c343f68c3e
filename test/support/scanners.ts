import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What every scanner takes for a virus (EICAR); in two pieces, or this file would be one. */
export const eicar = `X5O!P%@AP[4\\PZX54(P^)7CC)7}$${'EICAR-STANDARD-ANTIVIRUS'}-TEST-FILE!$H+H*`

/** A command that finds EICAR in what it reads. */
export async function aScanScript(): Promise<{ command: [string, string]; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-scan-'))
  const script = join(folder, 'scan.sh')
  await writeFile(
    script,
    `if grep -aq 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE'; then echo 'Eicar-Test-Signature'; exit 1; fi
echo 'nothing found'
`
  )
  return { command: ['/bin/sh', script], remove: () => rm(folder, { recursive: true }) }
}

/** A server that speaks as clamd does, on a port or a socket. */
export interface Clamd {
  address: { host: string; port: number } | { path: string }
  /** How much each content had that was sent so far. */
  sizes: number[]
  /** What it does in place of looking for EICAR. */
  behaves(as: 'well' | 'silent' | 'hanging up' | 'confused'): void
  /** The largest content it looks into. */
  limit(bytes: number): void
  stop(): Promise<void>
}

export async function startClamd(path?: string): Promise<Clamd> {
  let behaviour: Parameters<Clamd['behaves']>[0] = 'well'
  let maxBytes = Infinity
  const sizes: number[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    if (behaviour === 'hanging up') return void socket.destroy()
    if (behaviour === 'confused') return void socket.end('UNKNOWN COMMAND\0')
    if (behaviour === 'well') converse(socket).catch(() => socket.destroy())
  })

  async function converse(socket: Socket): Promise<void> {
    const read = readerOf(socket)
    if ((await read(10)).toString() !== 'zINSTREAM\0') return void socket.end('UNKNOWN COMMAND\0')
    let content = ''
    while (true) {
      const length = (await read(4)).readUInt32BE()
      if (length === 0) break
      content += (await read(length)).toString('latin1')
      if (content.length > maxBytes) return void socket.end('INSTREAM size limit exceeded. ERROR\0')
    }
    sizes.push(content.length)
    socket.end(content.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
  }

  await new Promise<void>(resolve => (path ? server.listen(path, resolve) : server.listen(0, '127.0.0.1', resolve)))
  const bound = server.address()
  return {
    address: typeof bound === 'string' ? { path: bound } : { host: '127.0.0.1', port: bound!.port },
    sizes,
    behaves(as) {
      behaviour = as
    },
    limit(bytes) {
      maxBytes = bytes
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    }
  }
}

/** Reads so many bytes, and rejects when the connection ends before. */
function readerOf(socket: Socket): (length: number) => Promise<Buffer> {
  const chunks = socket.iterator()
  let buffered = Buffer.alloc(0)
  return async length => {
    while (buffered.length < length) {
      const { value, done } = await chunks.next()
      if (done) throw new Error('The connection ended')
      buffered = Buffer.concat([buffered, value])
    }
    const taken = buffered.subarray(0, length)
    buffered = buffered.subarray(length)
    return taken
  }
}
