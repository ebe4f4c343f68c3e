import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { bootDesk, type Desk } from '../../../test/support/desk.ts'
import { aClient, type Person } from '../../../test/support/people.ts'
import { aFile, aTicket, form, storedFiles } from '../../../test/support/tickets.ts'

const desk = await bootDesk()
const wanted = { department_id: 1, subject: 'Look at this', message: 'See the files.' }

/** The state that a refused request must leave unchanged. */
async function everything(of: Desk) {
  return [await of.rowCounts(), await storedFiles(of)]
}

/** A hand-written multipart body, for what no well-behaved client sends. */
function rawForm(...parts: [disposition: string, content: string | Buffer, type?: string][]): Buffer {
  const chunks = parts.flatMap(([disposition, content, type]) => [
    Buffer.from(
      `--cut\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`
    ),
    Buffer.from(content),
    Buffer.from('\r\n')
  ])
  return Buffer.concat([...chunks, Buffer.from('--cut--\r\n')])
}

const rawFields: [string, string][] = Object.entries(wanted).map(([name, value]) => [`name="${name}"`, String(value)])

async function postRaw(person: Person, body: Buffer<ArrayBuffer>) {
  const response = await fetch(`${desk.url}/api/tickets/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'multipart/form-data; boundary=cut' },
    body
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

test('files of a new ticket and of a reply are stored byte for byte, in the order in which they were sent', async () => {
  const ada = await aClient(desk)
  const large = randomBytes(5 * 1024 * 1024)
  const contents = [large, Buffer.from([0, 13, 10, 45, 45, 255]), Buffer.from('\r\n--cut--\r\n'), Buffer.alloc(0)]
  const files = ['film.mp4', 'photo.jpg', 'notes.txt', 'empty.pdf'].map((name, at) => aFile(name, contents[at]))

  const ticket = await aTicket(desk, ada, {}, files)
  const reply = await desk.post('/api/tickets/reply', ada, form({ id: ticket.ticket_id, message: 'Again' }, ...files))

  for (const { attachments } of [ticket, reply.data]) {
    assert.deepEqual(
      attachments.map(({ id: _, file_path: __, ...file }: { id: number; file_path: string }) => file),
      [
        { file_name: 'film.mp4', file_size: large.length, file_type: 'video/mp4' },
        { file_name: 'photo.jpg', file_size: 6, file_type: 'image/jpeg' },
        { file_name: 'notes.txt', file_size: 11, file_type: 'text/plain' },
        { file_name: 'empty.pdf', file_size: 0, file_type: 'application/pdf' }
      ]
    )
    for (const [at, { file_path }] of attachments.entries()) {
      assert.match(file_path, /^\/uploads\/tickets\/[0-9a-f]{2}\/[0-9a-f]{32}\.[a-z0-9]+$/)
      assert.deepEqual(await readFile(join(desk.dataDir, file_path)), contents[at])
    }
  }
})

test('any file part counts, whatever its field is called, and a file alone claims /api/tickets for create', async () => {
  const ada = await aClient(desk)
  const body = form(wanted)
  for (const name of ['attachments', 'attachments[]', 'file', '__proto__']) body.append(name, aFile(`${name}.txt`))
  const fileOnly = new FormData()
  fileOnly.append('whatever', aFile('a.txt'))

  const reply = await desk.post('/api/tickets', ada, body)
  const claimed = await desk.post('/api/tickets', ada, fileOnly)

  assert.equal(reply.data.attachments.length, 4)
  assert.equal(claimed.status, 400)
  assert.deepEqual(claimed.body.errors, ['department_id', 'subject', 'message'])
})

test('a file name is its base name without directories and control characters, in any script, with quotes', async () => {
  const ada = await aClient(desk)
  const sent = [
    '../../etc/passwd.txt',
    'C:\\\\Users\\\\ada\\\\bill.pdf',
    'Größe 日本 😀.png',
    'a \\"quoted\\" name.txt',
    'tab\there.txt'
  ]
  const files = sent.map(
    name => [`name="attachments"; filename="${name}"`, 'x', 'text/plain'] as [string, string, string]
  )

  const reply = await postRaw(ada, rawForm(...rawFields, ...files) as Buffer<ArrayBuffer>)

  assert.equal(reply.status, 201, reply.body.message)
  assert.deepEqual(
    reply.body.data.attachments.map((file: { file_name: string }) => file.file_name),
    ['passwd.txt', 'bill.pdf', 'Größe 日本 😀.png', 'a "quoted" name.txt', 'tabhere.txt']
  )
})

test('the same name twice is two files', async () => {
  const ada = await aClient(desk)

  const { attachments } = await aTicket(desk, ada, {}, [aFile('same.txt', 'one'), aFile('same.txt', 'other')])

  const [one, other] = attachments
  assert.equal(one.file_name, other.file_name)
  assert.notEqual(one.file_path, other.file_path)
  assert.equal(await readFile(join(desk.dataDir, one.file_path), 'utf8'), 'one')
  assert.equal(await readFile(join(desk.dataDir, other.file_path), 'utf8'), 'other')
})

test('empty file pickers are ignored', async () => {
  const ada = await aClient(desk)
  const before = await storedFiles(desk)
  const picker: [string, string, string] = ['name="attachments"; filename=""', '', 'application/octet-stream']

  const reply = await postRaw(ada, rawForm(...rawFields, picker, picker) as Buffer<ArrayBuffer>)

  assert.equal(reply.status, 201, reply.body.message)
  assert.deepEqual(reply.body.data.attachments, [])
  assert.deepEqual(await storedFiles(desk), before)
})

test('ten files are taken, eleven are a 413 and nothing is stored', async () => {
  const ada = await aClient(desk)
  const files = Array.from({ length: 11 }, (_, at) => aFile(`${at}.txt`, `content ${at}`))

  const ten = await desk.post('/api/tickets/create', ada, form(wanted, ...files.slice(1)))
  const before = await everything(desk)
  const eleven = await desk.post('/api/tickets/create', ada, form(wanted, ...files))

  assert.equal(ten.data.attachments.length, 10)
  assert.equal(eleven.status, 413)
  assert.deepEqual(await everything(desk), before)
})

test('a refused kind is a 400 that names the attachments, and nothing is stored, of the other files neither', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada)
  const before = await everything(desk)
  const files = [aFile('fine.txt'), aFile('virus.exe', 'MZ'), aFile('fine.pdf')]

  const replies = [
    await desk.post('/api/tickets/create', ada, form(wanted, ...files)),
    await desk.post('/api/tickets/reply', ada, form({ id, message: 'Hello' }, ...files)),
    await desk.post('/api/tickets/create', ada, form(wanted, aFile('page.html', '<script>', 'text/html')))
  ]

  for (const reply of replies) {
    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, ['attachments'])
  }
  assert.deepEqual(await everything(desk), before)
})

test('a file of the largest size is taken, one byte more is a 413 and nothing is stored', async () => {
  const small = await bootDesk({ config: { MAX_FILE_BYTES: 200_000 } })
  const ada = await aClient(small)
  const [fits, exceeds] = [aFile('a.bin.pdf', randomBytes(200_000)), aFile('b.pdf', randomBytes(200_001))]

  const taken = await small.post('/api/tickets/create', ada, form(wanted, fits))
  const before = await everything(small)
  const refused = await small.post('/api/tickets/create', ada, form(wanted, fits, exceeds, fits))

  assert.equal(taken.status, 201)
  assert.equal(refused.status, 413)
  assert.deepEqual(await everything(small), before)
})

test('a valid file beside missing or invalid fields, or an unknown department, is not stored', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada)
  const before = await everything(desk)

  for (const fields of [{ subject: 'Only' }, { ...wanted, priority: 'Urgent' }, { ...wanted, department_id: 2 }]) {
    assert.equal((await desk.post('/api/tickets/create', ada, form(fields, aFile('a.txt')))).status, 400)
  }
  assert.equal((await desk.post('/api/tickets/reply', ada, form({ id }, aFile('a.txt')))).status, 400)
  assert.deepEqual(await everything(desk), before)
})

test('a multipart body that was cut short, or has no boundary, is a 400 and nothing is stored', async () => {
  const ada = await aClient(desk)
  const before = await everything(desk)
  const body = rawForm(...rawFields, ['name="attachments"; filename="a.txt"', 'x'.repeat(100_000)])

  for (const cut of [20, 100, 50_000, body.length - 150]) {
    const reply = await postRaw(ada, body.subarray(0, -cut) as Buffer<ArrayBuffer>)

    assert.equal(reply.status, 400, `${cut} bytes short`)
  }
  assert.deepEqual(await everything(desk), before)
})

test('an upload whose sender goes away in the middle leaves nothing', async () => {
  const ada = await aClient(desk)
  const before = await everything(desk)
  const start = rawForm(...rawFields, ['name="attachments"; filename="a.txt"', 'x'.repeat(200_000)]).subarray(0, -100)

  const upload = request(`${desk.url}/api/tickets/create`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'multipart/form-data; boundary=cut',
      'content-length': 10_000_000
    }
  })
  upload.on('error', () => {})
  upload.write(start)
  await until(async () => (await storedFiles(desk)).length > (before[1] as string[]).length)
  upload.destroy()
  await until(async () => (await storedFiles(desk)).length === (before[1] as string[]).length)

  assert.deepEqual(await everything(desk), before)
})

test('files of a statement that fails are not stored', async t => {
  const ada = await aClient(desk)
  const before = await everything(desk)
  const keep = desk.services.files.keep
  t.after(() => {
    desk.services.files.keep = keep
  })
  desk.services.files.keep = async files => {
    await keep(files)
    throw new Error('the disk broke')
  }

  const reply = await desk.post('/api/tickets/create', ada, form(wanted, aFile('a.txt'), aFile('b.txt')))

  assert.equal(reply.status, 500)
  assert.deepEqual(await everything(desk), before)
})

/** Waits for a state of the service that follows after the sender has disconnected. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await isSo()); await pause(10)) {
    assert.ok(Date.now() < deadline, 'it did not happen in time')
  }
}
