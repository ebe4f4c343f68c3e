import type { SequenceShape, TableShape } from '../../platform/db/catalogue.ts'
import type { RowsDigest } from '../../platform/db/copy.ts'
import { filePathPattern } from '../../platform/files/file-store.ts'

/*
 * An archive is a gzipped tar, readable without Deskline:
 *
 *   manifest.json                      what it is of: always the first
 *   app.key                            the key file, where the installation has one
 *   rows/<table>/<number>.copy         rows in COPY's text format, parents before children; each piece is whole rows
 *   uploads/tickets/<2 hex>/<name>     the files that those rows name
 *   digests.json                       what all that adds up to: always the last, so that a cut archive is told
 */

/** The file is no archive, is truncated or damaged, or does not suit this installation. The message is one sentence for the operator. */
export class ArchiveFault extends Error {}

export const formatVersion = 1

export interface Manifest {
  format: typeof formatVersion
  product: 'deskline'
  /** The version of Deskline. */
  version: string
  /** ISO 8601. */
  createdAt: string
  /** The server's version, such as 18.4. */
  postgres: string
  /** The migrations that had run, in order. */
  migrations: string[]
  /** Digests of a constant, one per application secret, the current one first: they identify the matching secret. */
  secrets: string[]
  /** The id of the installation and its former ids; missing in older archives. */
  installation?: string[]
  tables: TableShape[]
  sequences: SequenceShape[]
}

export interface Digests {
  /** By table. */
  tables: Record<string, RowsDigest>
  files: FilesDigest
}

export interface FilesDigest {
  count: number
  bytes: number
  /** SHA-256 (hex) of a line "path size sha256" for each file, in order. */
  sha256: string
  /** The first paths of files that rows name but the store did not have. */
  missing: string[]
  missingCount: number
  /** The first paths of files that differ from their rows; the archive has them as they are. */
  damaged: string[]
  damagedCount: number
}

export const manifestName = 'manifest.json'
export const keyName = 'app.key'
export const digestsName = 'digests.json'

export function rowsName(table: string, piece: number): string {
  return `rows/${table}/${String(piece).padStart(6, '0')}.copy`
}

/** The table of an entry with rows. */
export function tableOf(entry: string): string | undefined {
  return /^rows\/([^/]+)\/\d+\.copy$/.exec(entry)?.[1]
}

/** The path in the file store of an entry with a file. */
export function pathOf(entry: string): string | undefined {
  return filePathPattern.test(`/${entry}`) ? `/${entry}` : undefined
}
