import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import type { Desk } from './desk.ts'

/** The archive that the link of clients/export gives to whoever follows it, as one text and file by file. */
export async function exportArchive(desk: Desk, link: string) {
  const { pathname, search } = new URL(link, desk.url)
  const response = await fetch(desk.url + pathname + search)
  assert.equal(response.status, 200)
  const tar = gunzipSync(Buffer.from(await response.arrayBuffer()))
  const files = new Map<string, string>()
  const entries = extract()
  Readable.from([tar]).pipe(entries)
  for await (const entry of entries) {
    const chunks: Buffer[] = []
    for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk)
    files.set(entry.header.name, Buffer.concat(chunks).toString())
  }
  return { response, tar: tar.toString('latin1'), files, data: JSON.parse(files.get('data.json')!) }
}
