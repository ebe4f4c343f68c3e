import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ByteRange, conditionalByteRange } from '../lib/byte-range.ts'
import { attachmentDisposition } from '../lib/content-disposition.ts'
import { matchesEtag } from '../lib/entity-tag.ts'
import { failure } from './errors.ts'
import { fileHeaders } from './file-headers.ts'
import { responseStream } from './response-stream.ts'

export const RangeNotSatisfiable = failure(416, 'range_not_satisfiable', 'The requested byte range is outside the file')

/** A file as a response. */
export interface FileAnswer {
  type: string
  /** The file name for saving (attachment); without one it is inline. */
  name?: string
  /** The `Cache-Control` header; by default nobody may cache it. */
  cacheControl?: string
  /** In quotes. A caller that has this version gets a 304. */
  etag?: string
  /** If it is known, and there is an `etag`, byte ranges can be requested. */
  sizeBytes?: number
  /** A URL to redirect to, which is valid for a short time. */
  presignedUrl?(): Promise<string | undefined>
  content: Buffer | Readable | ((part: ByteRange | undefined) => Promise<Readable>)
}

/** Sends a file, or a 304 (not modified), a 416 (no such range) or a redirect. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileAnswer): Promise<FastifyReply> {
  const { etag, sizeBytes } = file
  const isGet = request.method === 'GET'
  const cacheControl = file.cacheControl ?? fileHeaders['cache-control']
  if (etag !== undefined && matchesEtag(request.headers['if-none-match'], etag)) {
    return reply.code(304).headers({ etag, 'cache-control': cacheControl }).send()
  }
  const hasParts = etag !== undefined && sizeBytes !== undefined
  const part = isGet && hasParts ? conditionalByteRange(request.headers, etag, sizeBytes) : undefined
  if (part === 'unsatisfiable') throw RangeNotSatisfiable({ headers: { 'content-range': `bytes */${sizeBytes}` } })

  const link = isGet && (await file.presignedUrl?.())
  if (link) return reply.header('cache-control', cacheControl).redirect(link)

  const content = typeof file.content === 'function' ? await file.content(part) : file.content
  reply.headers({
    ...fileHeaders,
    'cache-control': cacheControl,
    'content-type': file.type,
    'content-disposition': file.name === undefined ? 'inline' : attachmentDisposition(file.name),
    ...(etag === undefined ? {} : { etag }),
    ...(hasParts ? { 'accept-ranges': 'bytes' } : {})
  })
  if (sizeBytes !== undefined) reply.header('content-length', part ? part.end - part.start + 1 : sizeBytes)
  if (part) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${sizeBytes}`)
  if (Buffer.isBuffer(content)) return reply.send(content)
  if (request.method !== 'HEAD') return reply.send(sizeBytes === undefined ? content : responseStream(content))
  content.destroy()
  return reply.send()
}
