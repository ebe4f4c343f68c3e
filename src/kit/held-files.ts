import { FileTooLarge } from './errors.ts'
import type { UploadStore } from './uploads.ts'

/** Declared by an endpoint that takes one small file for itself: it is held in memory, whatever its name and its declared type. */
export interface HeldFiles {
  readonly maxHeldBytes: number
}

export interface HeldFile {
  content: Buffer
}

/** Takes a file into memory, as far as it may be large; nothing of it is stored anywhere. */
export function heldFiles({ maxHeldBytes }: HeldFiles): UploadStore {
  return {
    async store(stream): Promise<HeldFile> {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of stream) {
        size += chunk.length
        if (size > maxHeldBytes) {
          throw FileTooLarge({ message: `The file is larger than ${maxHeldBytes / 1024} KB` })
        }
        // The parser uses its own memory again.
        chunks.push(Buffer.from(chunk))
      }
      return { content: Buffer.concat(chunks) }
    },
    async forget() {}
  }
}
