import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { reasonOf } from '../../platform/db/wait-for-database.ts'
import {
  ArchiveFault,
  type Digests,
  digestsName,
  formatVersion,
  type Manifest,
  manifestName,
  pathOf,
  tableOf
} from './archive.ts'
import { type ArchiveBounds, archiveBounds, withinBounds } from './archive-bounds.ts'

/** The limit of entries that are read into memory. */
const maxTextBytes = 16 * 1024 * 1024

export interface Entry {
  name: string
  sizeBytes: number
  /** Must be read to its end before the next entry is requested. */
  content: AsyncIterable<Buffer>
}

/** The entries of an archive in order. Throws `ArchiveFault` if it cannot be read to its end, or is not one of ours. */
export async function* entriesOf(path: string, bounds: ArchiveBounds = archiveBounds): AsyncGenerator<Entry> {
  const entries = extract()
  try {
    const { size } = await stat(path)
    const bounded = (unpacked: AsyncIterable<Buffer>) => withinBounds(unpacked, size, bounds)
    const read = pipeline(createReadStream(path), createGunzip(), bounded, entries)
    read.catch(() => {})
    for await (const entry of entries) {
      const { name, size } = entry.header
      yield { name, sizeBytes: size ?? 0, content: contentOf(path, entry as AsyncIterable<Buffer>) }
      entry.resume()
    }
    await read
  } catch (error) {
    throw faultOf(path, error)
  }
}

/** A file, or all rows of a table, joined from their entries. */
export type Part = { table: string; content: AsyncIterable<Buffer> } | { file: string; content: AsyncIterable<Buffer> }

/** The parts to restore, in order. The content must be read to its end before the next part is requested. */
export async function* partsOf(path: string): AsyncGenerator<Part> {
  const entries = entriesOf(path)
  try {
    let { value: entry } = await entries.next()
    const piecesOf = async function* (table: string) {
      while (entry && tableOf(entry.name) === table) {
        yield* entry.content
        entry = (await entries.next()).value
      }
    }
    while (entry) {
      const table = tableOf(entry.name)
      const file = pathOf(entry.name)
      if (table) yield { table, content: piecesOf(table) }
      else {
        if (file) yield { file, content: entry.content }
        entry = (await entries.next()).value
      }
    }
  } finally {
    await entries.return(undefined)
  }
}

async function* contentOf(path: string, entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* entry
  } catch (error) {
    throw faultOf(path, error)
  }
}

function faultOf(path: string, error: unknown): ArchiveFault {
  if (error instanceof ArchiveFault) return new ArchiveFault(`${path} is no backup of Deskline: ${error.message}`)
  const { syscall, code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new ArchiveFault(`There is no file ${path}.`)
  if (syscall) return new ArchiveFault(`${path} cannot be read (${code}).`)
  return new ArchiveFault(`${path} is not a whole backup of Deskline: cut short or damaged (${reasonOf(error)}).`)
}

/** The manifest in the first entry. */
export async function manifestIn(path: string, entry: Entry | undefined): Promise<Manifest> {
  const manifest = entry?.name === manifestName ? ((await jsonIn(entry)) as Partial<Manifest>) : undefined
  if (manifest?.product !== 'deskline') throw new ArchiveFault(`${path} is not a backup of Deskline.`)
  if (manifest.format === formatVersion) {
    const { migrations, secrets, tables, sequences } = manifest
    if ([migrations, secrets, tables, sequences].every(list => Array.isArray(list))) return manifest as Manifest
    throw new ArchiveFault(`${path} is damaged: it does not say what it is of.`)
  }
  throw new ArchiveFault(`${path} was written by Deskline ${manifest.version}: restore it with that version.`)
}

export async function digestsIn(path: string, entry: Entry | undefined): Promise<Digests> {
  if (entry?.name === digestsName) {
    const digests = (await jsonIn(entry)) as Partial<Digests> | undefined
    if (digests?.tables && digests.files) return digests as Digests
  }
  throw new ArchiveFault(`${path} is not a whole backup: its end is missing.`)
}

export async function textIn({ name, content }: Entry): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > maxTextBytes) throw new ArchiveFault(`This is no backup of Deskline: its ${name} is longer than any.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function jsonIn(entry: Entry): Promise<unknown> {
  const text = await textIn(entry)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
