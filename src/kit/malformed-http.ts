import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { safeHeaders } from './safe-headers.ts'

/** Malformed HTTP gets an error envelope too; there is no request object, only a socket. */
export function answerMalformedHttp(
  error: Error & { code?: string },
  socket: Socket & { _httpMessage?: ServerResponse }
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) return void socket.destroy()
  const [status, reason, message] = brokenHttp[error.code ?? ''] ?? notHttp
  const body = envelope(Number(status.slice(0, 3)), reason, message)
  const lines = [`HTTP/1.1 ${status}`, ...Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}`)]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  // A caller that keeps sending could otherwise keep the connection open.
  const late = setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
  socket.once('close', () => clearTimeout(late))
}

/** Long enough for the caller to receive the response. */
const lingerMilliseconds = 2_000

type Broken = [status: string, reason: string, message: string]

const notHttp: Broken = ['400 Bad Request', 'malformed_http', 'The request is not valid HTTP']
const brokenHttp: Record<string, Broken> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers_too_large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'The request took too long to arrive']
}

/** Answers an `Expect` header other than 100-continue with an envelope: Node.js would refuse it without a message. */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = envelope(417, 'unsupported_expectation', 'What the Expect header asks for is not supported')
    response.writeHead(417, headersOf(body)).end(body)
  })
}

function envelope(code: number, reason: string, message: string): string {
  return JSON.stringify({ status: 'error', code, message, reason })
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
