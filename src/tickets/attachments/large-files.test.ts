import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, type Person } from '../../../test/support/people.ts'

const megabyte = 1024 * 1024
const desk = await bootDesk({ config: { MAX_FILE_BYTES: 100 * megabyte } })

const head = [
  'name="department_id"\r\n\r\n1',
  'name="subject"\r\n\r\nLook at this',
  'name="message"\r\n\r\nSee the file.',
  'name="attachments"; filename="a.pdf"\r\n\r\n'
]
  .map(part => `--cut\r\nContent-Disposition: form-data; ${part}`)
  .join('\r\n')

/** A ticket with one file, sent in these pieces. */
async function postPieces(person: Person, pieces: (string | Buffer)[], onSent = () => {}) {
  const upload = request(`${desk.url}/api/tickets/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'multipart/form-data; boundary=cut' }
  })
  const answered = once(upload, 'response') as Promise<[IncomingMessage]>
  for (const piece of [head, ...pieces, '\r\n--cut--\r\n']) {
    if (!upload.write(piece)) await once(upload, 'drain')
    onSent()
  }
  upload.end()
  const [response] = await answered
  return { status: response.statusCode, body: JSON.parse(await text(response)) }
}

test('content that looks like a boundary wherever it is cut is stored byte for byte', async () => {
  const ada = await aClient(desk)
  const start = '\r\n--cu'
  const looks = [
    '\r',
    '\n--',
    `-${start}`,
    start,
    'x',
    start,
    start,
    `${'y'.repeat(300)}${start}`,
    '\r\n-',
    '-cu',
    '\r\n'
  ]
  const pieces = Array.from({ length: 40 }, () => looks).flat()

  const reply = await postPieces(ada, pieces)

  assert.equal(reply.status, 201, reply.body.message)
  const stored = await readFile(join(desk.dataDir, reply.body.data.attachments[0].file_path), 'utf8')
  assert.equal(stored, pieces.join(''))
})

/** The peak of additional memory during this work. */
async function watched<T>(work: (look: () => void) => Promise<T>): Promise<{ done: T; most: number }> {
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  const done = await work(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  })
  return { done, most }
}

/** Downloads a file through a socket that reuses one buffer; returns the digest of the content. */
async function fetched(path: string, person: Person, onRead: () => void): Promise<string> {
  const hash = createHash('sha256')
  let isHead = true
  const callback = (count: number, buffer: Uint8Array) => {
    const start = isHead ? Buffer.from(buffer).indexOf('\r\n\r\n') + 4 : 0
    isHead = false
    hash.update(buffer.subarray(start, count))
    onRead()
    return true
  }
  const { hostname: host, port } = new URL(desk.url)
  const socket = connect({ host, port: Number(port), onread: { buffer: Buffer.alloc(65_536), callback } })
  const lines = [`GET ${path} HTTP/1.1`, 'Host: desk', `Authorization: Bearer ${person.token}`, 'Connection: close']
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await once(socket, 'close')
  return hash.digest('hex')
}

test('what has been written or sent is no longer in memory: of 96 MB never more than 8 are', async () => {
  const ada = await aClient(desk)
  const part = randomBytes(megabyte)
  const sha256 = createHash('sha256')
    .update(Buffer.concat(Array(96).fill(part)))
    .digest('hex')

  const upload = await watched(look => postPieces(ada, Array(96).fill(part), look))
  const path = upload.done.body.data.attachments[0].file_path
  const download = await watched(look => fetched(path, ada, look))

  assert.equal(upload.done.status, 201)
  assert.equal(download.done, sha256)
  for (const { most } of [upload, download]) assert.ok(most <= 8 * megabyte, `${most} bytes were in memory`)
})
