import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Services } from '../../core/services.ts'

/** The raw message, stored compressed at this path. Undefined if the file is missing. The stream must be read to its end or destroyed. */
export async function openRaw({ files }: Pick<Services, 'files'>, path: string): Promise<Readable | undefined> {
  const opened = await files.open(path)
  if (!opened) return undefined
  const gunzip = createGunzip({ chunkSize: 65_536 })
  const { stream } = opened
  stream.once('error', error => gunzip.destroy(error)).pipe(gunzip)
  gunzip.once('close', () => stream.destroy())
  return gunzip
}

/** Reads it into memory that is allocated once, since a message may be large. */
export async function wholeRaw(raw: Readable, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(sizeBytes)
  let length = 0
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    bytes.set(chunk, length)
    length += chunk.length
  }
  return bytes
}

/** Its first `maxBytes` bytes; the rest is not read. */
export async function startOfRaw(raw: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
