import { randomBytes } from 'node:crypto'

/** The bytes of an HTTP request. */
export function message(
  path: string,
  { token, body, type = 'application/json' }: { token?: string; body?: Buffer; type?: string } = {}
): Buffer {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'User-Agent: bench']
  if (token) lines.push(`Authorization: Bearer ${token}`)
  if (body) lines.push(`Content-Type: ${type}`)
  lines.push(`Content-Length: ${body?.length ?? 0}`, '', '')
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body ?? Buffer.alloc(0)])
}

export function jsonMessage(path: string, token: string | undefined, body: object): Buffer {
  return message(path, { token, body: Buffer.from(JSON.stringify(body)) })
}

/** A form with one file of this many random bytes. */
export function fileMessage(path: string, token: string, fields: Record<string, string>, fileBytes: number): Buffer {
  const { head, tail, type } = formAround(fields)
  return message(path, { token, type, body: Buffer.concat([head, randomBytes(fileBytes), tail]) })
}

/** The parts of a form before and after the content of its one file. */
export function formAround(fields: Record<string, string>) {
  const boundary = `bench-${randomBytes(9).toString('hex')}`
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  const file =
    'Content-Disposition: form-data; name="attachments"; filename="scan.pdf"\r\nContent-Type: application/pdf'
  return {
    head: Buffer.from(`${parts.join('')}--${boundary}\r\n${file}\r\n\r\n`),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
    type: `multipart/form-data; boundary=${boundary}`
  }
}
