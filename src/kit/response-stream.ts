import type { Readable, Writable } from 'node:stream'
import { freeBuffer } from '../lib/free-buffer.ts'

/** The content of a response. Releases the memory of each chunk after sending it, which an ordinary pipe cannot. */
export function responseStream(content: Readable): Readable {
  const pipe = (response: Writable): Writable => {
    content.on('data', (chunk: Buffer) => {
      if (!response.write(chunk, () => freeBuffer(chunk))) content.pause()
    })
    content.on('end', () => response.end())
    return response.on('drain', () => content.resume())
  }
  return Object.assign(content, { pipe })
}
