import type { Readable, Writable } from 'node:stream'
import { giveBack } from '../lib/give-back.ts'

/** The content of a response. Releases the memory of each chunk after sending it, which an ordinary pipe cannot. */
export function sentContent(content: Readable): Readable {
  const pipe = (response: Writable): Writable => {
    content.on('data', (chunk: Buffer) => {
      if (!response.write(chunk, () => giveBack(chunk))) content.pause()
    })
    content.on('end', () => response.end())
    return response.on('drain', () => content.resume())
  }
  return Object.assign(content, { pipe })
}
