import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { InvalidSetting } from '../../lib/setting.ts'
import { firstLine, ScanFailed, type Scanner, type Verdict } from './scanner.ts'

export type ClamdAddress = { path: string } | { host: string; port: number }

/** A response is one short line; anything longer is not from clamd. */
const maxAnswerCharacters = 4_096

/** Parses `host:port`, `[address]:port` or the path of a socket. Throws `InvalidSetting`. */
export function clamdAddress(given: string): ClamdAddress {
  if (given.startsWith('/')) return { path: given }
  const [, host, port] = /^(?:tcp:\/\/)?(\[[0-9a-f:]+\]|[^\s:/]+):(\d{1,5})$/i.exec(given) ?? []
  if (host && Number(port) > 0 && Number(port) < 65_536) {
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
  }
  throw new InvalidSetting('must be host:port or the path of a socket')
}

/** Scans files with clamd (ClamAV) by its INSTREAM command: chunks with their lengths, ended by a length of zero. */
export function clamdScanner(address: ClamdAddress, timeoutSeconds: number): Scanner {
  return {
    async scan(content) {
      const socket = createConnection(address)
      const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
      timeout.addEventListener('abort', () => socket.destroy(new Error(`no answer within ${timeoutSeconds} seconds`)))
      const answer = answerOf(socket)
      answer.catch(() => {})
      try {
        await once(socket, 'connect')
        const delivered = deliver(content, socket)
        delivered.catch(error => socket.destroy(error))
        // It may respond before the end, for example if the file is too large for it.
        const verdict = verdictOf(await answer)
        if (verdict.isClean) await delivered
        return verdict
      } catch (error) {
        throw error instanceof ScanFailed
          ? error
          : new ScanFailed(`clamd: ${(error as Error).message}`, { cause: error })
      } finally {
        content.destroy()
        socket.destroy()
      }
    }
  }
}

async function deliver(content: Readable, socket: Socket): Promise<void> {
  socket.write('zINSTREAM\0')
  for await (const chunk of content) {
    // An empty chunk would mean the end.
    if (chunk.length === 0) continue
    // A closed socket never drains.
    if (socket.destroyed) throw new Error('the connection broke off')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(chunk.length)
    socket.write(length)
    if (!socket.write(chunk)) await once(socket, 'drain')
  }
  socket.write(Buffer.alloc(4))
}

/** The response until it closes the connection or ends the line. */
function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8').on('data', chunk => {
      text += chunk
      if (text.includes('\0') || text.length > maxAnswerCharacters) resolve(text)
    })
    socket.once('end', () => resolve(text))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection broke off')))
  })
}

function verdictOf(answer: string): Verdict {
  const line = firstLine(answer).replace(/^stream: /, '')
  if (line === 'OK') return { isClean: true, answer: line }
  if (line.endsWith(' FOUND')) return { isClean: false, answer: line }
  throw new ScanFailed(`clamd: ${line || 'no answer'}`)
}
