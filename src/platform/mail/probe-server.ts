import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls'
import { servernameOf, tlsFor } from './trusted-certificate.ts'

/** The server to look at; `address` is where it is. */
export interface ProbedServer {
  protocol: 'imap' | 'smtp'
  host: string
  address: string
  port: number
  encryption: 'tls' | 'starttls' | 'none'
  certificate?: string | null | undefined
}

/** The certificate that a server shows. */
export interface ShownCertificate {
  name: string
  issuer: string
  /** SHA-256. */
  fingerprint: string
  endsAt: Date
  pem: string
}

/** How a server answered before anybody logged in. */
export interface ProbeResult {
  /** TLSv1.3; undefined without encryption. */
  tls: string | undefined
  certificate: ShownCertificate | undefined
  /** Why the certificate is not trusted, as Node.js names it. */
  distrust: string | undefined
}

/** The server offers no STARTTLS. */
export class NoStartTls extends Error {}

const maxGreetingBytes = 64 * 1024

/** Connects and encrypts as far as a login would, and says what certificate is shown, trusted or not. Sends no secret. Throws what went wrong. */
export async function probeServer(server: ProbedServer, signal: AbortSignal): Promise<ProbeResult> {
  const { host, address, port, encryption, certificate } = server
  const options = { ...tlsFor(host, certificate), rejectUnauthorized: false, servername: servernameOf(host) }
  let socket: Socket | undefined
  const abort = () => socket?.destroy(new Error('ETIMEDOUT'))
  signal.addEventListener('abort', abort)
  try {
    if (encryption === 'tls') {
      const secure = connectTls({ ...options, host: address, port })
      socket = secure
      await once(secure, 'secureConnect', { signal })
      await readLine(secure, signal)
      return resultOf(secure)
    }
    const plain = connectPlain({ host: address, port })
    socket = plain
    await once(plain, 'connect', { signal })
    await readLine(plain, signal)
    if (encryption === 'none') return { tls: undefined, certificate: undefined, distrust: undefined }
    await askForTls(plain, server.protocol, signal)
    const secure = connectTls({ ...options, socket: plain })
    socket = secure
    await once(secure, 'secureConnect', { signal })
    return resultOf(secure)
  } finally {
    signal.removeEventListener('abort', abort)
    socket?.on('error', () => {})
    socket?.destroy()
  }
}

async function askForTls(socket: Socket, protocol: 'imap' | 'smtp', signal: AbortSignal): Promise<void> {
  if (protocol === 'smtp') {
    socket.write('EHLO deskline\r\n')
    const offered = await readUntil(socket, /^\d{3} .*\r?\n/m, signal)
    if (!/STARTTLS/i.test(offered)) throw new NoStartTls()
    socket.write('STARTTLS\r\n')
    if (!/^220/m.test(await readUntil(socket, /^\d{3} ?.*\r?\n/m, signal))) throw new NoStartTls()
    return
  }
  socket.write('a1 STARTTLS\r\n')
  if (!/^a1 OK/im.test(await readUntil(socket, /^a1 .*\r?\n/im, signal))) throw new NoStartTls()
}

async function readLine(socket: Socket, signal: AbortSignal): Promise<string> {
  return await readUntil(socket, /\r?\n/, signal)
}

/** Bounded, since a hostile server may never end its line. */
async function readUntil(socket: Socket, end: RegExp, signal: AbortSignal): Promise<string> {
  let read = ''
  while (!end.test(read)) {
    if (read.length > maxGreetingBytes) throw new Error('The server says too much')
    const [chunk] = (await Promise.race([
      once(socket, 'data', { signal }),
      once(socket, 'close', { signal }).then(() => {
        throw Object.assign(new Error('The connection was closed'), { code: 'ECONNRESET' })
      })
    ])) as [Buffer]
    read += chunk.toString('latin1')
  }
  return read
}

function resultOf(socket: TLSSocket): ProbeResult {
  const shown = socket.getPeerX509Certificate()
  const { subject, issuer } = socket.getPeerCertificate() as Partial<PeerCertificate>
  return {
    tls: socket.getProtocol() ?? undefined,
    certificate: shown && {
      name: nameIn(subject) ?? shown.subjectAltName ?? '',
      issuer: nameIn(issuer) ?? '',
      fingerprint: shown.fingerprint256,
      endsAt: new Date(shown.validTo),
      pem: shown.toString()
    },
    distrust: socket.authorized ? undefined : String(socket.authorizationError ?? 'not valid')
  }
}

function nameIn(parts: Partial<PeerCertificate['subject']> | undefined): string | undefined {
  const name = parts?.CN ?? parts?.O
  return name === undefined ? undefined : String(name).slice(0, 200)
}
