import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { freeBuffer } from '../../lib/free-buffer.ts'
import { BodyTooLarge, MalformedBody, TooManyFiles } from '../errors.ts'
import type { UploadStore } from '../uploads.ts'
import { addText, emptyInput, type RequestInput } from './request-input.ts'
import { textOf } from './text.ts'

export interface MultipartLimits {
  maxFieldBytes: number
  maxFiles: number
  maxParts: number
  /** Undefined if the endpoint accepts no files: they are skipped. */
  store: UploadStore | undefined
}

/**
 * Parses a multipart body as a stream: fields are decoded strictly here, files go to the store
 * one after the other in constant memory. After any error no stored file remains.
 */
export async function readMultipart(request: IncomingMessage, limits: MultipartLimits): Promise<RequestInput> {
  const sent = emptyInput()
  const parts: Promise<unknown>[] = []
  const room = { bytes: limits.maxFieldBytes, files: limits.maxFiles }
  const release = releaserOf(request)

  try {
    await parse(
      request,
      limits.maxParts,
      (name, content, fileName, declaredType) => {
        if (fileName === undefined) return parts.push(readField(sent, name, content, room))
        if (fileName !== '' && !limits.store) sent.unread.push(name)
        return parts.push(readFile(content, fileName, declaredType, limits.store, room, release))
      },
      parts
    )
    // In the order of sending, although a small file may be stored before a large one that came first.
    sent.uploads = (await Promise.all(parts)).filter(stored => stored !== undefined)
    return sent
  } catch (error) {
    const settled = await Promise.allSettled(parts)
    const stored = settled.flatMap(part =>
      part.status === 'fulfilled' && part.value !== undefined ? [part.value] : []
    )
    if (stored.length > 0) await limits.store?.forget(stored)
    throw error
  }
}

type OnPart = (name: string, content: Readable, fileName: string | undefined, declaredType: string) => void

/** Resolves when the last part has begun and the body has ended; rejects at the first fault, of the parser or of a part. */
async function parse(
  request: IncomingMessage,
  maxParts: number,
  onPart: OnPart,
  parts: Promise<unknown>[]
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let open: Readable | undefined
  const parser = makeParser(request, maxParts)
  // A complete request also emits `close`, perhaps before the last file is stored.
  const onClose = () => {
    if (!request.complete) reject(MalformedBody({ message: 'The body was cut off' }))
  }

  parser.on(
    'file',
    (name: string | undefined, content: Readable, fileName: string | undefined, _: string, declaredType: string) => {
      open = content
      content.on('error', () => {})
      onPart(name ?? '', content, fileName, declaredType)
      parts.at(-1)?.catch(reject)
    }
  )
  parser.on('partsLimit', () => reject(BodyTooLarge({ message: 'The form has too many parts' })))
  parser.on('error', () => reject(MalformedBody({ message: 'The multipart body is not valid or was cut off' })))
  parser.on('finish', resolve)
  request.on('close', onClose).on('error', onClose)
  request.pipe(parser)
  try {
    await promise
  } catch (error) {
    // The rest of the body is read and dropped, so that the caller receives the response.
    request.unpipe(parser)
    request.resume()
    open?.destroy(new Error('The upload was refused or cut off'))
    throw error
  } finally {
    request.off('close', onClose)
  }
}

function makeParser(request: IncomingMessage, parts: number): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: request.headers as { 'content-type': string },
      isPartAFile: () => true,
      limits: { parts, headerPairs: 50, headerSize: 16 * 1024 }
    })
  } catch {
    throw MalformedBody({ message: 'The multipart body has no boundary' })
  }
}

/** Releases the chunks of the request. The parser reuses its own buffers. */
function releaserOf(request: IncomingMessage): (chunk: Buffer) => void {
  const received = new WeakSet<ArrayBufferLike>()
  request.on('data', ({ buffer }: Buffer) => received.add(buffer))
  return chunk => {
    if (received.has(chunk.buffer)) freeBuffer(chunk)
  }
}

async function readField(sent: RequestInput, name: string, content: Readable, room: { bytes: number }): Promise<void> {
  const text = textOf(await readAll(content, room))
  addText(sent.fields, name, text)
}

/** What the store returned for the file, or undefined for an empty part. */
async function readFile(
  content: Readable,
  fileName: string,
  declaredType: string,
  store: UploadStore | undefined,
  room: { bytes: number; files: number },
  release: (chunk: Buffer) => void
): Promise<unknown> {
  // A file picker left empty sends a part without a name and without content.
  if (fileName === '' || !store) {
    await readAll(content, room)
    return undefined
  }
  if (--room.files < 0) throw TooManyFiles()
  return await store.store(content, fileName, declaredType, release)
}

async function readAll(content: Readable, room: { bytes: number }): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) {
    room.bytes -= chunk.length
    if (room.bytes < 0) throw BodyTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
