import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

/** Writes one entry after the other; each call resolves when the entry was passed on, so that little is in memory. */
export interface ArchiveWriter {
  add(name: string, content: string | Buffer): Promise<void>
  /** The content must have exactly that size; it is read to its end or destroyed. */
  addStream(name: string, sizeBytes: number, content: Readable | AsyncIterable<Uint8Array>): Promise<void>
  /** Ends the archive; resolves when `target` has received all of it. */
  finish(): Promise<void>
  /** Aborts: `target` is destroyed. */
  abort(error: Error): Promise<void>
}

// Attachments are mostly compressed already; more effort would only cost time.
const effort = 3
const mode = 0o600

/** A gzipped tar, written to `target`. */
export function archiveWriter(target: Writable, mtime: Date): ArchiveWriter {
  const archive = pack()
  const written = pipeline(archive, createGzip({ level: effort }), target)
  written.catch(() => {})

  /** Reports the error of the target; without this an entry would wait forever, or blame the archive. */
  async function unlessBroken(entry: (resolve: () => void, reject: (error: Error) => void) => void): Promise<void> {
    const broken = written.then(() => new Promise<never>(() => {}))
    const added = new Promise<void>(entry).catch(error => (archive.destroying ? broken : Promise.reject(error)))
    await Promise.race([added, broken])
  }

  return {
    add: (name, content) =>
      unlessBroken((resolve, reject) => {
        archive.entry({ name, mode, mtime }, content, error => (error ? reject(error) : resolve()))
      }),
    addStream: (name, size, content) =>
      unlessBroken((resolve, reject) => {
        const entry = archive.entry({ name, size, mode, mtime })
        pipeline(content, entry).then(resolve, reject)
      }).catch(error => {
        // If the archive had failed already, nobody has begun to read the content.
        if ('destroy' in content) content.destroy()
        throw error
      }),
    async finish() {
      archive.finalize()
      await written
    },
    async abort(error) {
      archive.destroy(error)
      await written.catch(() => {})
    }
  }
}
