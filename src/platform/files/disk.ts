import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { type FileStore, FileStoreFull, filePathPattern, newFilePath } from './file-store.ts'
import { acceptedKind, cleanFileName } from './kinds.ts'
import { writeContent } from './write-content.ts'

const sweepBatchSize = 500
/** What is read at once: for each file that is being read, twice as much is in memory. */
const readBytes = 128 * 1024

/**
 * Attachments below `<dataDir>/uploads`: kept ones in `tickets/<2 hex>/`, unfinished ones in `.incoming/`, which has to be the same
 * file system, since keeping is renaming. Folders are made when first needed.
 */
export function diskFileStore(dataDir: string): FileStore {
  const incoming = resolve(dataDir, 'uploads', '.incoming')
  const tickets = resolve(dataDir, 'uploads', 'tickets')

  const store: FileStore = {
    async stage(content, file, { maxBytes, release }) {
      // An iteration hears an error only while it runs: before and after, a sender breaking off would end the process.
      content.on('error', () => {})
      const fileName = cleanFileName(file.fileName)
      const path = newFilePath(acceptedKind(fileName, file.fileType)?.extension ?? 'bin')
      const { temporary } = placesOf(path)!

      try {
        await makeFolder(incoming)
        const written = await writeContent(temporary, content, { maxBytes, release })
        return { path, fileName, fileType: file.fileType, ...written }
      } catch (error) {
        content.resume()
        await rm(temporary, { force: true })
        throw asRefusal(error)
      }
    },

    async keep(files) {
      try {
        const folders = new Set<string>()
        for (const { path } of files) {
          const { temporary, final } = knownPlacesOf(path)
          await makeFolder(dirname(final))
          await renameOnce(temporary, final)
          folders.add(dirname(final))
        }
        for (const folder of folders) await flushFolder(folder)
        // Another request may have made a folder of ours and not have flushed it yet.
        if (folders.size > 0) await flushFolder(tickets)
      } catch (error) {
        throw asRefusal(error)
      }
    },

    async restore(path, content) {
      const { temporary, final } = knownPlacesOf(path)
      try {
        await makeFolder(incoming)
        await makeFolder(dirname(final))
        // One that was interrupted may have left its own behind.
        await rm(temporary, { force: true })
        const written = await writeContent(temporary, content, { maxBytes: Infinity })
        await rename(temporary, final)
        await flushFolder(dirname(final))
        return written
      } catch (error) {
        content.resume()
        await rm(temporary, { force: true })
        throw asRefusal(error)
      }
    },

    async unstage(files) {
      for (const { path } of files) {
        const places = placesOf(path)
        if (places) await rm(places.temporary, { force: true })
      }
    },

    async discard(files) {
      for (const { path } of files) {
        const places = placesOf(path)
        if (places === undefined) continue
        await rm(places.temporary, { force: true })
        await rm(places.final, { force: true })
      }
    },

    async open(path, range) {
      const places = placesOf(path)
      const handle = places && (await openPlainFile(places.final))
      if (handle === undefined) return undefined

      try {
        const { size: sizeBytes } = await handle.stat()
        const start = range?.start ?? 0
        const end = Math.min(range?.end ?? Infinity, sizeBytes - 1)
        if (start <= end)
          return { stream: handle.createReadStream({ start, end, highWaterMark: readBytes }), sizeBytes }
        await handle.close()
        return { stream: Readable.from([]), sizeBytes }
      } catch (error) {
        await handle.close()
        throw error
      }
    },

    async link() {
      return undefined
    },

    async sweep(isKnown, olderThanMs) {
      const before = Date.now() - olderThanMs
      let removed = 0

      for (const name of await namesIn(incoming)) removed += await removeOlder(join(incoming, name), before)
      for await (const paths of batchesOf(keptPaths(tickets), sweepBatchSize)) {
        const known = await isKnown(paths)
        for (const path of paths) {
          if (!known.has(path)) removed += await removeOlder(knownPlacesOf(path).final, before)
        }
      }
      return removed
    },

    async check() {
      const probe = await store.stage(Readable.from(['probe']), { fileName: 'probe', fileType: '' }, { maxBytes: 5 })
      try {
        await store.keep([probe])
      } finally {
        await store.discard([probe])
      }
    }
  }
  return store

  function placesOf(path: string): { temporary: string; final: string } | undefined {
    const match = filePathPattern.exec(path)
    if (match === null) return undefined
    const [, folder, name] = match as unknown as [string, string, string]
    return { temporary: join(incoming, name), final: join(tickets, folder, name) }
  }

  function knownPlacesOf(path: string): { temporary: string; final: string } {
    const places = placesOf(path)
    if (places === undefined) throw new Error(`Not a path of the file store: ${JSON.stringify(path)}`)
    return places
  }
}

function asRefusal(error: unknown): unknown {
  return hasCode(error, 'ENOSPC', 'EDQUOT') ? new FileStoreFull('The file store is full.', { cause: error }) : error
}

/** Makes a folder and flushes the entries of all that was made. */
async function makeFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (topmost === undefined) return
  for (let made = folder; made.length >= topmost.length; made = dirname(made)) await flushFolder(dirname(made))
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Nothing left to rename is fine when an earlier attempt has done it. */
async function renameOnce(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    await lstat(to).catch(() => {
      throw error
    })
  }
}

/** Symbolic links are not followed; neither they nor anything else but a plain file is ever content. */
async function openPlainFile(place: string): Promise<FileHandle | undefined> {
  let handle: FileHandle
  try {
    handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO')) return undefined
    throw error
  }
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  return undefined
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}

/** Foreign files, whatever they are, have no path in the store: they are not the store's to remove. */
async function* keptPaths(tickets: string): AsyncGenerator<string> {
  for (const folder of await namesIn(tickets)) {
    for (const name of await namesIn(join(tickets, folder))) {
      const path = `/uploads/tickets/${folder}/${name}`
      if (filePathPattern.test(path)) yield path
    }
  }
}

async function* batchesOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Answers 1 when it was removed, 0 when it is too young, no plain file, or gone. */
async function removeOlder(place: string, before: number): Promise<0 | 1> {
  try {
    const found = await lstat(place)
    // The clock of the sweep has no fractions of milliseconds, that of the file system has.
    if (!found.isFile() || Math.floor(found.mtimeMs) > before) return 0
    await unlink(place)
    return 1
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0
    throw error
  }
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
