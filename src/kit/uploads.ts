import type { Readable } from 'node:stream'

/** How the application stores files. The endpoint gets what `store` returns. */
export interface UploadStore {
  /**
   * Stores the content, and leaves nothing behind when it throws; refuses unwanted file types before reading. It may pass chunks that it
   * no longer needs to `release`.
   */
  store(content: Readable, fileName: string, declaredType: string, release?: (chunk: Buffer) => void): Promise<unknown>
  /** Discards the files of a failed request; does nothing to files that are in use. */
  forget(uploads: unknown[]): Promise<void>
}
