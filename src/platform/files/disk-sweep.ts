import { lstat, readFile, rename, unlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createDurably, replaceDurably } from '../../lib/durable-files.ts'
import { hasCode, makeFolder, namesIn } from './disk-folders.ts'
import { ForeignFiles, filePathPattern } from './file-store.ts'
import type { FileOwner, Sweepable } from './sweep.ts'

const batchSize = 500

/** The paths of a store below `<dataDir>/uploads`. */
export interface DiskPlaces {
  /** The file that names the owner of the folder. */
  marker: string
  /** Folders of unfinished files, kept files, and files that no row names. */
  incoming: string
  kept: string
  quarantine: string
}

export interface DiskFile {
  temporary: string
  final: string
  quarantined: string
}

/** The location of the file with that path; undefined if it is no path of the store. */
export function placesOfFile({ incoming, kept, quarantine }: DiskPlaces, path: string): DiskFile | undefined {
  const match = filePathPattern.exec(path)
  if (match === null) return undefined
  const [folder, name] = [match[1]!, match[2]!]
  return {
    temporary: join(incoming, name),
    final: join(kept, folder, name),
    quarantined: join(quarantine, folder, name)
  }
}

/** Throws `ForeignFiles` if the kept files in this folder belong to another installation. */
export async function refuseUnlessOurs(places: DiskPlaces, owner: FileOwner): Promise<void> {
  const marked = await markedOwnerId(places)
  const isOurs = marked ? isOne(owner, marked) : owner.copiedFrom.length === 0
  if (!isOurs) throw new ForeignFiles(dirname(places.marker), marked)
}

/** The parts of a folder that a sweep works on. */
export function sweepableFolder(places: DiskPlaces, owner: FileOwner): Sweepable {
  const { marker, incoming, kept, quarantine } = places
  const placesOf = (path: string) => placesOfFile(places, path)!

  return {
    async otherId() {
      const marked = await markedOwnerId(places)
      return marked && !isOne(owner, marked) ? marked : undefined
    },

    async isClaimed() {
      const marked = await markedOwnerId(places)
      return marked !== undefined && isOne(owner, marked)
    },

    async claim() {
      const marked = await markedOwnerId(places)
      if (marked === owner.id) return
      await makeFolder(dirname(marker))
      if (marked) await replaceDurably(marker, owner.id)
      else await createDurably(marker, owner.id)
      if ((await markedOwnerId(places)) !== owner.id)
        throw new ForeignFiles(dirname(marker), await markedOwnerId(places))
    },

    async *kept() {
      yield* inBatches(pathsIn(kept))
    },

    async isOurs() {
      return true
    },

    async isOlder(path, before) {
      return await isOlder(placesOf(path).final, before)
    },

    // A file's time in the quarantine is when it was moved there, even if the process dies in between. Nothing is flushed: the file is served
    // from either place if a row names it.
    async quarantine(path) {
      const { final, quarantined } = placesOf(path)
      const now = new Date()
      return await unlessGone(async () => {
        await makeFolder(dirname(quarantined))
        await utimes(final, now, now)
        await rename(final, quarantined)
      })
    },

    async *quarantined() {
      for await (const paths of inBatches(pathsIn(quarantine))) {
        const files = paths.map(async path => {
          const found = await lstat(placesOf(path).quarantined).catch(() => undefined)
          return found?.isFile() ? [{ path, since: found.mtime, sizeBytes: found.size }] : []
        })
        yield (await Promise.all(files)).flat()
      }
    },

    async bringBack(path) {
      const { final, quarantined } = placesOf(path)
      return await unlessGone(async () => {
        await makeFolder(dirname(final))
        await rename(quarantined, final)
      })
    },

    async remove(path) {
      return await unlessGone(() => unlink(placesOf(path).quarantined))
    },

    async removeUnfinished(before) {
      let removed = 0
      for (const name of await namesIn(incoming)) {
        const place = join(incoming, name)
        if ((await isOlder(place, before)) && (await unlessGone(() => unlink(place)))) removed++
      }
      return removed
    }
  }
}

/** Whether this folder has no file that was ever kept. */
export async function isEmptyStore({ kept, quarantine }: DiskPlaces): Promise<boolean> {
  for (const folder of [kept, quarantine]) {
    for await (const _path of pathsIn(folder)) return false
  }
  return true
}

/** The id in the marker; undefined if there is none. */
export async function markedOwnerId({ marker }: DiskPlaces): Promise<string | undefined> {
  try {
    return (await readFile(marker, 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

function isOne({ id, formerIds }: FileOwner, marked: string): boolean {
  return marked === id || formerIds.includes(marked)
}

/** Foreign files have no path in the store and are not removed. */
async function* pathsIn(top: string): AsyncGenerator<string> {
  for (const folder of await namesIn(top)) {
    for (const name of await namesIn(join(top, folder))) {
      const path = `/uploads/tickets/${folder}/${name}`
      if (filePathPattern.test(path)) yield path
    }
  }
}

async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Only plain files have an age. The clock of the sweep has whole milliseconds, that of the file system has fractions. */
async function isOlder(place: string, before: Date): Promise<boolean> {
  const found = await lstat(place).catch(error => {
    if (!hasCode(error, 'ENOENT')) throw error
  })
  return found?.isFile() === true && Math.floor(found.mtimeMs) <= before.getTime()
}

/** False if another process has done it, or removed the file. */
async function unlessGone(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
