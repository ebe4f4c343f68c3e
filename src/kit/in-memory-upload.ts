import { FileTooLarge } from './errors.ts'
import type { UploadStore } from './uploads.ts'

/** Declared by an endpoint that accepts one small file: it is kept in memory, whatever its name and declared type. */
export interface InMemoryUpload {
  readonly maxInMemoryBytes: number
}

export interface InMemoryFile {
  content: Buffer
}

/** Reads a file into memory up to its maximum size; nothing is stored. */
export function inMemoryUpload({ maxInMemoryBytes }: InMemoryUpload): UploadStore {
  return {
    async store(stream): Promise<InMemoryFile> {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of stream) {
        size += chunk.length
        if (size > maxInMemoryBytes) {
          throw FileTooLarge({ message: `The file is larger than ${maxInMemoryBytes / 1024} KB` })
        }
        // The parser reuses its own buffer.
        chunks.push(Buffer.from(chunk))
      }
      return { content: Buffer.concat(chunks) }
    },
    async forget() {}
  }
}
