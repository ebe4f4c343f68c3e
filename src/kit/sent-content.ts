import type { Readable, Writable } from 'node:stream'
import { giveBack } from '../lib/give-back.ts'

/** Content to answer with. The memory of each chunk is given back when it has been sent, which an ordinary pipe does not learn. */
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
