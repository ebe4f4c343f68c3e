import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { FileTooLarge, type StagedFile } from './file-store.ts'

/** The size of one write. Chunks are counted as well, since a sender may send single bytes. */
const batchBytes = 256 * 1024
const batchChunks = 64

/**
 * Writes content to a new file and flushes it. One batch is written while the next one is collected; then the sender waits: at most two are in
 * memory. `release` is called with each written chunk. After a failure the content is not destroyed.
 */
export async function writeContent(
  place: string,
  content: Readable,
  { maxBytes, release = () => {} }: { maxBytes: number; release?: ((chunk: Buffer) => void) | undefined }
): Promise<Pick<StagedFile, 'fileSizeBytes' | 'sha256'>> {
  const hash = createHash('sha256')
  let fileSizeBytes = 0
  const handle = await open(place, 'wx', 0o600)
  try {
    const file = inBatches(handle, release)
    await eachChunk(content, chunk => {
      fileSizeBytes += chunk.length
      if (fileSizeBytes > maxBytes) throw new FileTooLarge(`A file is larger than ${maxBytes} bytes.`)
      hash.update(chunk)
      return file.add(chunk)
    })
    await file.end()
    await handle.sync()
  } finally {
    // Waits for a running write.
    await handle.close()
  }
  return { fileSizeBytes, sha256: hash.digest('hex') }
}

/**
 * If `take` returns a promise, the next chunk waits for it. No async iterator: it makes several promises per chunk and copies waiting chunks
 * together.
 */
function eachChunk(content: Readable, take: (chunk: Buffer) => Promise<void> | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = (error: unknown) => {
    content.off('data', onData)
    reject(error)
  }
  const onData = (chunk: Buffer | string) => {
    try {
      const room = take(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk))
      if (!room) return
      content.pause()
      room.then(() => content.resume(), stop)
    } catch (error) {
      stop(error)
    }
  }
  content.on('data', onData)
  finished(content, { writable: false }).then(resolve, stop)
  return promise
}

function inBatches(handle: FileHandle, release: (chunk: Buffer) => void) {
  let batch: Buffer[] = []
  let bytes = 0
  let written = Promise.resolve()

  return {
    /** Returns a promise only if the next chunk has to wait for room. */
    add(chunk: Buffer): Promise<void> | undefined {
      batch.push(chunk)
      bytes += chunk.length
      return bytes < batchBytes && batch.length < batchChunks ? undefined : writeBatch()
    },
    async end(): Promise<void> {
      writeBatch()
      await written
    }
  }

  /** Resolves when the previous batch is written; this one is then written while the next one is collected. */
  function writeBatch(): Promise<void> {
    const [before, chunks] = [written, batch]
    written = before.then(() => writeAll(handle, chunks)).then(() => chunks.forEach(release))
    // The error reaches whoever waits for the batch; without a handler it would also end the process.
    written.catch(() => {})
    batch = []
    bytes = 0
    return before
  }
}

async function writeAll(handle: FileHandle, chunks: Buffer[]): Promise<void> {
  if (chunks.length === 0) return
  let { bytesWritten: done } = await handle.writev(chunks)
  for (const chunk of chunks) {
    // The write may be incomplete: a full disk takes what still fits.
    if (done < chunk.length) await handle.writeFile(chunk.subarray(done))
    done = Math.max(0, done - chunk.length)
  }
}
