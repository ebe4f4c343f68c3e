import { createHash } from 'node:crypto'
import type { FilesDigest } from './archive.ts'

/** A file as its row describes it. */
export interface NamedFile {
  path: string
  sizeBytes: number
  sha256: string
}

/** More than these are counted, but not listed. */
const namedAtMost = 1000

/** Counts and hashes files as they stream. */
export function makeFilesDigest() {
  const hash = createHash('sha256')
  const tally: Omit<FilesDigest, 'sha256'> = {
    count: 0,
    bytes: 0,
    missing: [],
    missingCount: 0,
    damaged: [],
    damagedCount: 0
  }
  return {
    add({ path, sizeBytes, sha256 }: NamedFile) {
      hash.update(`${path} ${sizeBytes} ${sha256}\n`)
      tally.count++
      tally.bytes += sizeBytes
    },
    missing(path: string) {
      if (tally.missingCount++ < namedAtMost) tally.missing.push(path)
    },
    damaged(path: string) {
      if (tally.damagedCount++ < namedAtMost) tally.damaged.push(path)
    },
    tally: (): FilesDigest => ({ ...tally, sha256: hash.digest('hex') })
  }
}
