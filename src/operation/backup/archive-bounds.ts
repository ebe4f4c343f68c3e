import { ArchiveFault } from './archive.ts'

/** Limits of an archive's unpacked size. Somebody else may have made it, and a gzip can unpack to a thousand times its size. */
export interface ArchiveBounds {
  /** This much may unpack at any ratio, since small archives of similar rows compress well. */
  freeBytes: number
  ratio: number
  /** Far more than any desk has files: the headers alone of so many entries are 51 GB. */
  entries: number
}

export const archiveBounds: ArchiveBounds = { freeBytes: 1024 ** 3, ratio: 500, entries: 100_000_000 }

const blockBytes = 512

/**
 * Passes on the unpacked bytes of a file of `packedBytes`. Throws `ArchiveFault` if they are more than an archive of ours can have, or if an
 * entry is not a plain file: headers of other kinds are read into memory whole, however long they claim to be.
 */
export async function* withinBounds(
  unpacked: AsyncIterable<Buffer>,
  packedBytes: number,
  { freeBytes, ratio, entries }: ArchiveBounds
): AsyncGenerator<Buffer> {
  const mostBytes = Math.max(freeBytes, packedBytes * ratio)
  let bytes = 0
  let count = 0
  let contentLeft = 0
  let header = Buffer.alloc(0)

  for await (const chunk of unpacked) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new ArchiveFault(`It unpacks to more than ${ratio} times its size.`)
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(contentLeft, chunk.length - at)
      contentLeft -= skipped
      at += skipped
      if (contentLeft > 0 || at === chunk.length) break
      const part = chunk.subarray(at, at + blockBytes - header.length)
      header = Buffer.concat([header, part])
      at += part.length
      if (header.length < blockBytes) break
      contentLeft = contentBytes(header)
      header = Buffer.alloc(0)
      if (++count > entries) throw new ArchiveFault(`It has more than ${entries} entries.`)
    }
    yield chunk
  }
}

/** The length of the content after a header, in whole blocks. */
function contentBytes(header: Buffer): number {
  const kind = header[156]!
  if (header.every(byte => byte === 0)) return 0
  if (kind !== 0 && kind !== '0'.charCodeAt(0)) throw new ArchiveFault('It has entries that are no plain files.')
  const size = header.toString('latin1', 124, 136).replace(/[\0 ]+$/, '')
  if (!/^ *[0-7]+$/.test(size)) throw new ArchiveFault('It has entries of no size.')
  return Math.ceil(Number.parseInt(size, 8) / blockBytes) * blockBytes
}
