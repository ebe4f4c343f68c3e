import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorEnvelope, type FailureKind, failure } from './errors.ts'
import { safeHeaders } from './safe-headers.ts'

/** Malformed HTTP gets an error envelope too; there is no request object, only a socket. */
export function answerMalformedHttp(
  error: Error & { code?: string },
  socket: Socket & { _httpMessage?: ServerResponse }
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) return void socket.destroy()
  const kind = brokenHttp[error.code ?? ''] ?? MalformedHttp
  const body = envelope(kind)
  const lines = [
    `HTTP/1.1 ${kind.status} ${STATUS_CODES[kind.status]}`,
    ...Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}`)
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  // A caller that keeps sending could otherwise keep the connection open.
  const late = setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
  socket.once('close', () => clearTimeout(late))
}

/** Long enough for the caller to receive the response. */
const lingerMilliseconds = 2_000

const MalformedHttp = failure(400, 'malformed_http', 'The request is not valid HTTP')
const HeadersTooLarge = failure(431, 'headers_too_large', 'The headers are too large')
const RequestTimeout = failure(408, 'request_timeout', 'The request took too long to arrive')
const UnsupportedExpectation = failure(
  417,
  'unsupported_expectation',
  'What the Expect header asks for is not supported'
)

const brokenHttp: Record<string, FailureKind> = {
  HPE_HEADER_OVERFLOW: HeadersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: RequestTimeout
}

/** The failures of a connection: no endpoint declares them, since none was reached. */
export const connectionFailures: readonly FailureKind[] = [
  MalformedHttp,
  HeadersTooLarge,
  RequestTimeout,
  UnsupportedExpectation
]

/** Answers an `Expect` header other than 100-continue with an envelope: Node.js would refuse it without a message. */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = envelope(UnsupportedExpectation)
    response.writeHead(UnsupportedExpectation.status, headersOf(body)).end(body)
  })
}

function envelope(kind: FailureKind): string {
  return JSON.stringify(errorEnvelope(kind()))
}

function headersOf(body: string): Record<string, string | number> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Request-Id': randomUUID(),
    ...safeHeaders(),
    Connection: 'close'
  }
}
