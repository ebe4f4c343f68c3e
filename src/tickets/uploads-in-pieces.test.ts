import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { bootDesk } from '../../test/support/desk.ts'
import { aClient, type Person } from '../../test/support/people.ts'

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

/** A ticket with one file, whose content is sent in these pieces. */
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

test('what has been written is no longer in memory: of 96 MB never more than 8 are', async () => {
  const ada = await aClient(desk)
  const before = process.memoryUsage().arrayBuffers
  let most = 0

  const reply = await postPieces(ada, Array(96).fill(randomBytes(megabyte)), () => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  })

  assert.equal(reply.status, 201, reply.body.message)
  assert.ok(most <= 8 * megabyte, `${most} bytes were in memory`)
})
