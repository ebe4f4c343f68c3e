import type { IncomingMessage } from 'node:http'
import { BodyTooLarge, EncodedBody, MalformedBody, UnsupportedBody } from '../errors.ts'
import type { UploadStore } from '../uploads.ts'
import { readForm } from './form.ts'
import { readJson } from './json.ts'
import { readMultipart } from './multipart.ts'
import { emptyInput, type RequestInput } from './request-input.ts'

export interface BodyLimits {
  maxBytes: number
  maxFiles: number
  maxFileBytes: number
  /** Fields and files of a multipart body. */
  maxParts: number
}

/** Reads the body in any of the three encodings, as fields by name. No body is the same as no fields. */
export async function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  store: UploadStore | undefined
): Promise<RequestInput> {
  const length = request.headers['content-length']
  if (request.headers['transfer-encoding'] === undefined && (length === undefined || length === '0'))
    return emptyInput()

  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  if (encoding && encoding !== 'identity') throw EncodedBody({ headers: { 'accept-encoding': 'identity' } })

  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  const files = store && type === 'multipart/form-data' ? limits.maxFiles * limits.maxFileBytes : 0
  if (Number(length ?? 0) > limits.maxBytes + files) throw BodyTooLarge()

  switch (type) {
    case 'multipart/form-data':
      return await readMultipart(request, { ...limits, maxFieldBytes: limits.maxBytes, store })
    case 'application/json':
      return { ...emptyInput(), fields: readJson(await readBytes(request, limits.maxBytes)) }
    case 'application/x-www-form-urlencoded':
      return { ...emptyInput(), fields: readForm(await readBytes(request, limits.maxBytes)) }
    default: {
      const bytes = await readBytes(request, limits.maxBytes)
      if (bytes.length > 0) throw UnsupportedBody()
      return emptyInput()
    }
  }
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let total = 0
  request.on('data', (chunk: Buffer) => {
    total += chunk.length
    // Whatever exceeds the limit is read and dropped, so that the caller receives the response.
    if (total > maxBytes) reject(BodyTooLarge())
    else chunks.push(chunk)
  })
  request.on('end', () => resolve(Buffer.concat(chunks)))
  // It also emits `close` after its end.
  request.on('close', () => {
    if (!request.readableEnded) reject(MalformedBody({ message: 'The body was cut off' }))
  })
  // A caller that disconnects while sending is not an error of ours.
  request.on('error', () => reject(MalformedBody({ message: 'The body was cut off' })))
  return promise
}
