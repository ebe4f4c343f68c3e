import type { KnownValues } from './known-values.ts'
import type { FuzzFile, FuzzRequest, Mutation } from './requests.ts'
import type { Value } from './values.ts'

/** A request as it is sent. */
export interface EncodedRequest {
  method: string
  path: string
  type: string | undefined
  body: Buffer | undefined
}

const boundary = 'boundary'

export function encodeRequest(request: FuzzRequest, known: KnownValues): EncodedRequest {
  const query = formOf(request.query, known)
  const address = request.pattern.replace(':id', () => placed(textOf(request.id, known)))
  const path = `${address.startsWith('/') ? '' : '/'}${address}${request.suffix}${query && `${request.suffix.includes('?') ? '&' : '?'}${query}`}`
  if (request.method === 'GET') return { method: 'GET', path, type: undefined, body: undefined }
  const [type, body] = encoded(request, known)
  return { method: request.method, path, type: request.type ?? type, body: mutated(body, request.mutation) }
}

function encoded({ encoding, fields, files }: FuzzRequest, known: KnownValues): [type: string, body: Buffer] {
  switch (encoding) {
    case 'json':
      return ['application/json', Buffer.from(jsonOf(fields, known))]
    case 'form':
      return ['application/x-www-form-urlencoded', Buffer.from(formOf(fields, known), 'latin1')]
    case 'multipart':
      return [`multipart/form-data; boundary=${boundary}`, multipartOf(fields, files, known)]
  }
}

/** Built by hand, because an object cannot have the same name twice, nor `__proto__`. */
function jsonOf(fields: FuzzRequest['fields'], known: KnownValues): string {
  const pairs = fields.map(([name, value]) => {
    const found = resolved(value, known)
    return `${JSON.stringify(name)}:${'raw' in found ? found.raw : (JSON.stringify(found.json) ?? 'null')}`
  })
  return `{${pairs.join(',')}}`
}

function formOf(fields: FuzzRequest['fields'], known: KnownValues): string {
  return fields
    .flatMap(([name, value]) => texts(value, known).map(text => `${escaped(name)}=${escaped(text)}`))
    .join('&')
}

function multipartOf(fields: FuzzRequest['fields'], files: FuzzFile[], known: KnownValues): Buffer {
  const parts = fields.flatMap(([name, value]) =>
    texts(value, known).map(text => part(`form-data; name="${quoted(name)}"`, undefined, Buffer.from(text)))
  )
  for (const { field, name, type, sizeBytes } of files) {
    const fileName = name === undefined ? '' : `; filename="${quoted(name)}"`
    parts.push(part(`form-data; name="${quoted(field)}"${fileName}`, type, Buffer.alloc(sizeBytes, 'x')))
  }
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}

function part(disposition: string, type: string | undefined, content: Buffer): Buffer {
  const lines = [
    `--${boundary}`,
    `Content-Disposition: ${disposition}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`])
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content, Buffer.from('\r\n')])
}

/** As browsers do it. */
function quoted(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}

/** The values that a form has for a field: lists are repeated names. */
function texts(value: Value, known: KnownValues): string[] {
  const found = resolved(value, known)
  if ('json' in found && Array.isArray(found.json) && found.json.length > 0) return found.json.map(asText)
  return ['raw' in found ? found.raw : asText(found.json)]
}

/** A path from a response is not encoded again. */
function placed(text: string): string {
  return /^\/uploads\/[\w./-]+$/.test(text) ? text : escaped(text)
}

function textOf(value: Value, known: KnownValues): string {
  const found = resolved(value, known)
  return 'raw' in found ? found.raw : asText(found.json)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function resolved(value: Value, known: KnownValues): { json: unknown } | { raw: string } {
  return 'known' in value ? { json: known.of(value.known, value.at) ?? value.or } : value
}

/** Each byte that is none of a plain name, halves of surrogate pairs as the three bytes that they would be. */
function escaped(text: string): string {
  const bytes = text.isWellFormed()
    ? Buffer.from(text)
    : Buffer.concat(Array.from({ length: text.length }, (_, at) => unit(text.charCodeAt(at))))
  return Array.from(bytes, byte => {
    const character = String.fromCharCode(byte)
    return /[\w.-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`
  }).join('')
}

function unit(code: number): Buffer {
  if (code < 0xd800 || code > 0xdfff) return Buffer.from(String.fromCharCode(code))
  return Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)])
}

function mutated(body: Buffer, mutation: Mutation): Buffer {
  const at = 'at' in mutation ? mutation.at % (body.length + 1) : 0
  switch (mutation.how) {
    case 'none':
      return body
    case 'cut':
      return body.subarray(0, at)
    case 'twice':
      return Buffer.concat([body, body])
    case 'insert':
      return Buffer.concat([body.subarray(0, at), Buffer.from(mutation.bytes), body.subarray(at)])
    case 'flip': {
      const copy = Buffer.from(body)
      if (at < copy.length) copy[at] = mutation.to
      return copy
    }
  }
}
