import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import type { TableShape } from './catalogue.ts'
import type { Connected } from './one-connection.ts'

/** The number of rows, and the SHA-256 (hex) of all of them in COPY's text format and the table's order. */
export interface RowsDigest {
  rows: number
  sha256: string
}

const newLine = 0x0a
const quoted = pg.escapeIdentifier

/** The rows of a table in COPY's text format, in chunks of any size. Must be read to its end or destroyed. */
export function copyRowsOut({ client }: Connected, { name, columns, order }: TableShape): Readable {
  return client.query(
    to(`copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)} order by ${order}) to stdout`)
  )
}

/** The lines of one column of a query, in COPY's text format. */
export function copyLinesOut({ client }: Connected, query: string): Readable {
  return client.query(to(`copy (${query}) to stdout`))
}

/** Copies whole rows from `copyRowsOut` into a table. */
export async function copyRowsIn(
  { client }: Connected,
  { name, columns }: Pick<TableShape, 'name' | 'columns'>,
  rows: AsyncIterable<Uint8Array>
): Promise<void> {
  const copying = client.query(from(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`))
  await pipeline(Readable.from(rows, { objectMode: false }), copying)
}

/** Counts and hashes rows as they stream. */
export function makeRowsDigest(): { add(bytes: Uint8Array): void; tally(): RowsDigest } {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add(bytes) {
      hash.update(bytes)
      // A line break within a value is written \n.
      for (let at = bytes.indexOf(newLine); at >= 0; at = bytes.indexOf(newLine, at + 1)) rows++
    },
    tally: () => ({ rows, sha256: hash.digest('hex') })
  }
}

export async function rowsDigestOf(connection: Connected, table: TableShape): Promise<RowsDigest> {
  const tally = makeRowsDigest()
  for await (const bytes of copyRowsOut(connection, table)) tally.add(bytes)
  return tally.tally()
}

/** The rows in chunks of about that size, with no row split. */
export async function* inChunks(rows: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of rows) {
    const end = size + chunk.length < bytes ? 0 : chunk.lastIndexOf(newLine) + 1
    if (end > 0) {
      yield Buffer.concat([...waiting, chunk.subarray(0, end)])
      waiting = []
      size = 0
    }
    waiting.push(chunk.subarray(end))
    size += chunk.length - end
  }
  if (size > 0) yield Buffer.concat(waiting)
}
