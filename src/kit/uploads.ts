import type { Readable } from 'node:stream'

/** How the application takes files in. What `store` answers is handed to the endpoint. */
export interface UploadStore {
  /**
   * Takes the content in and leaves nothing behind when it throws; it refuses unwanted kinds before reading. It may tell `release` of
   * chunks that it needs no more.
   */
  store(content: Readable, fileName: string, declaredType: string, release?: (chunk: Buffer) => void): Promise<unknown>
  /** Forgets what was stored for a request that came to nothing; harmless for what has been kept since. */
  forget(uploads: unknown[]): Promise<void>
}
