import { rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { flushFolder } from '../../lib/durable-files.ts'
import { hasCode, isThere, makeFolder, openPlainFile, renameOnce } from './disk-folders.ts'
import {
  type DiskFile,
  isEmptyStore,
  markedOwnerId,
  placesOfFile,
  refuseUnlessOurs,
  sweepableFolder
} from './disk-sweep.ts'
import { type FileStore, FileStoreFull, ForeignFiles, newFilePath } from './file-store.ts'
import { acceptedKind, cleanFileName } from './kinds.ts'
import { type FileOwner, sizeOfQuarantine, sweepFiles } from './sweep.ts'
import { writeContent } from './write-content.ts'

/** The size of one read; each file being read takes twice as much memory. */
const readBytes = 128 * 1024

/**
 * Attachments below `<dataDir>/uploads`: kept ones in `tickets/<2 hex>/`, unfinished ones in `.incoming/`, unreferenced ones in `.quarantine/`,
 * all on the same file system, since keeping is renaming. `.installation` names the owner. Folders are created on first use.
 */
export function diskFileStore(dataDir: string, owner: FileOwner): FileStore {
  const uploads = resolve(dataDir, 'uploads')
  const incoming = join(uploads, '.incoming')
  const kept = join(uploads, 'tickets')
  const places = { marker: join(uploads, '.installation'), incoming, kept, quarantine: join(uploads, '.quarantine') }
  const sweepable = sweepableFolder(places, owner)

  const store: FileStore = {
    async stage(content, file, { maxBytes, release }) {
      // An iterator handles errors only while it runs: before and after, an aborted request would end the process.
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
        // Another request may have created a folder of ours without having flushed it yet.
        if (folders.size > 0) await flushFolder(kept)
      } catch (error) {
        throw asRefusal(error)
      }
    },

    async restore(path, content) {
      const { temporary, final } = knownPlacesOf(path)
      try {
        await makeFolder(incoming)
        await makeFolder(dirname(final))
        // An interrupted attempt may have left its temporary file.
        await rm(temporary, { force: true })
        const written = await writeContent(temporary, content, { maxBytes: Infinity })
        const isNew = !(await isThere(final))
        await rename(temporary, final)
        await flushFolder(dirname(final))
        return { ...written, isNew }
      } catch (error) {
        content.resume()
        await rm(temporary, { force: true })
        throw asRefusal(error)
      }
    },

    async unstage(files) {
      for (const { path } of files) {
        const found = placesOf(path)
        if (found) await rm(found.temporary, { force: true })
      }
    },

    async discard(files) {
      for (const { path } of files) {
        const found = placesOf(path)
        if (found) await rm(found.temporary, { force: true })
      }
      await refuseUnlessOurs(places, owner)
      for (const { path } of files) {
        const found = placesOf(path)
        if (found) await remove(found)
      }
    },

    async open(path, range) {
      const found = placesOf(path)
      const handle = found && ((await openPlainFile(found.final)) ?? (await openPlainFile(found.quarantined)))
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

    sweep: (isKnown, options) => sweepFiles(sweepable, isKnown, options),

    quarantine: () => sizeOfQuarantine(sweepable),

    otherOwner: () => sweepable.otherId(),

    async claim({ evenOfOthers = false } = {}) {
      const isFree = (await sweepable.isClaimed()) || (await isEmptyStore(places))
      if (!isFree && !evenOfOthers) throw new ForeignFiles(uploads, await markedOwnerId(places))
      await sweepable.claim()
    },

    async check() {
      const probe = await store.stage(Readable.from(['probe']), { fileName: 'probe', fileType: '' }, { maxBytes: 5 })
      try {
        await store.keep([probe])
      } finally {
        await remove(knownPlacesOf(probe.path))
      }
    }
  }
  return store

  function placesOf(path: string): DiskFile | undefined {
    return placesOfFile(places, path)
  }

  function knownPlacesOf(path: string): DiskFile {
    const found = placesOf(path)
    if (found === undefined) throw new Error(`Not a path of the file store: ${JSON.stringify(path)}`)
    return found
  }
}

async function remove({ final, quarantined }: DiskFile): Promise<void> {
  await rm(final, { force: true })
  await rm(quarantined, { force: true })
}

function asRefusal(error: unknown): unknown {
  return hasCode(error, 'ENOSPC', 'EDQUOT') ? new FileStoreFull('The file store is full.', { cause: error }) : error
}
