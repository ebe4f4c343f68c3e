import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { reasonOf } from '../platform/db/reach.ts'
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

export interface Entry {
  name: string
  sizeBytes: number
  /** Must be read to its end before the next entry is asked for. */
  content: AsyncIterable<Buffer>
}

/** The entries of an archive in order. Throws `ArchiveFault` where it cannot be read to its end. */
export async function* entriesOf(path: string): AsyncGenerator<Entry> {
  const entries = extract()
  const read = pipeline(createReadStream(path), createGunzip(), entries)
  read.catch(() => {})
  try {
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

/** A file, or all rows of a table: its pieces in one. */
export type Part = { table: string; content: AsyncIterable<Buffer> } | { file: string; content: AsyncIterable<Buffer> }

/** What is to be restored of an archive, in order. The content must be read to its end before the next part is asked for. */
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
  const { syscall, code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new ArchiveFault(`There is no file ${path}.`)
  if (syscall) return new ArchiveFault(`${path} cannot be read (${code}).`)
  return new ArchiveFault(`${path} is not a whole backup of Deskline: cut short or damaged (${reasonOf(error)}).`)
}

/** What the first entry says. */
export async function manifestIn(path: string, entry: Entry | undefined): Promise<Manifest> {
  const manifest = entry?.name === manifestName ? ((await jsonIn(entry)) as Partial<Manifest>) : undefined
  if (manifest?.product !== 'deskline') throw new ArchiveFault(`${path} is not a backup of Deskline.`)
  if (manifest.format === formatVersion) return manifest as Manifest
  throw new ArchiveFault(`${path} was written by Deskline ${manifest.version}: restore it with that version.`)
}

export async function digestsIn(path: string, entry: Entry | undefined): Promise<Digests> {
  if (entry?.name === digestsName) return (await jsonIn(entry)) as Digests
  throw new ArchiveFault(`${path} is not a whole backup: its end is missing.`)
}

export async function textIn({ content }: Entry): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
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
