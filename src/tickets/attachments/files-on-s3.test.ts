import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, type Person } from '../../../test/support/people.ts'
import { run } from '../../../test/support/program.ts'
import { startS3 } from '../../../test/support/s3-server.ts'
import { eicar, startClamd } from '../../../test/support/scanners.ts'
import { aFile, aTicket, form } from '../../../test/support/tickets.ts'
import { s3FileStore } from '../../platform/files/s3.ts'
import { clamdScanner } from '../../platform/scanner/clamd.ts'
import { sweepUploads } from './sweep-uploads.ts'

const server = await startS3()
after(() => server.stop())
const bucket = await server.bucket()
const desk = await bootDesk({
  config: { MAX_FILE_BYTES: 12_000_000 },
  services: { files: s3FileStore(bucket.options) }
})
const linking = await bootDesk({
  services: { files: s3FileStore({ ...(await server.bucket()).options, presignedDownloads: true }) }
})
const wanted = { department_id: 1, subject: 'Look at this', message: 'See the files.' }

async function everything() {
  return [await desk.rowCounts(), await bucket.held(), await bucket.unfinished()]
}

function get(url: string, person?: Person, headers: Record<string, string> = {}, method = 'GET') {
  const bearer: Record<string, string> = person ? { authorization: `Bearer ${person.token}` } : {}
  return fetch(url, { method, headers: { ...bearer, ...headers }, redirect: 'manual' })
}

test('12 MB and an empty file are stored and downloaded byte for byte, whole and in parts', async () => {
  const ada = await aClient(desk)
  const content = randomBytes(12_000_000)

  const { attachments } = await aTicket(desk, ada, {}, [aFile('film.mp4', content), aFile('empty.txt', '')])
  const [film, empty] = attachments
  const whole = await get(desk.url + film.file_path, ada)
  const part = await get(desk.url + film.file_path, ada, { range: 'bytes=6000000-6999999' })
  const end = await get(desk.url + film.file_path, ada, { range: 'bytes=-10' })
  const head = await get(desk.url + film.file_path, ada, {}, 'HEAD')
  const nothing = await get(desk.url + empty.file_path, ada)

  assert.deepEqual(await bucket.held(), [`desk${film.file_path}`, `desk${empty.file_path}`].sort())
  assert.ok(content.equals(Buffer.from(await whole.arrayBuffer())))
  assert.equal(whole.headers.get('content-disposition')?.startsWith('attachment'), true)
  assert.equal(part.status, 206)
  assert.equal(part.headers.get('content-range'), 'bytes 6000000-6999999/12000000')
  assert.ok(content.subarray(6_000_000, 7_000_000).equals(Buffer.from(await part.arrayBuffer())))
  assert.ok(content.subarray(-10).equals(Buffer.from(await end.arrayBuffer())))
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '12000000'])
  assert.deepEqual([nothing.status, await nothing.text()], [200, ''])
})

test('a redirected download comes from the store itself, to nobody but those who may see the ticket', async () => {
  const [ada, eve] = [await aClient(linking), await aClient(linking)]
  const content = randomBytes(300_000)
  const { attachments } = await aTicket(linking, ada, {}, [aFile('photo.jpg', content)])
  const url = linking.url + attachments[0].file_path

  const answer = await get(url, ada)
  const link = answer.headers.get('location')!
  const followed = await fetch(url, { headers: { authorization: `Bearer ${ada.token}`, range: 'bytes=100-199' } })
  const whole = await fetch(link)
  const strangers = [await get(url, eve), await get(url)]
  const head = await get(url, ada, {}, 'HEAD')

  assert.equal(answer.status, 302)
  assert.equal(answer.headers.get('cache-control'), 'private, no-store')
  assert.ok(link.startsWith(server.url), link)
  assert.ok(content.equals(Buffer.from(await whole.arrayBuffer())))
  assert.equal(whole.headers.get('content-type'), 'image/jpeg')
  assert.match(whole.headers.get('content-disposition')!, /^attachment; filename="photo\.jpg"/)
  assert.equal(followed.status, 206)
  assert.ok(content.subarray(100, 200).equals(Buffer.from(await followed.arrayBuffer())))
  for (const stranger of strangers) {
    assert.equal(stranger.status, 404)
    assert.equal(stranger.headers.get('location'), null)
  }
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '300000'])
})

test('a refused request leaves neither rows nor objects nor parts', async () => {
  const ada = await aClient(desk)
  const before = await everything()
  const large = aFile('large.mp4', randomBytes(6_000_000))

  const replies = [
    await desk.post('/api/tickets/create', ada, form({ subject: 'Only' }, large)),
    await desk.post('/api/tickets/create', ada, form(wanted, large, aFile('virus.exe', 'MZ'))),
    await desk.post('/api/tickets/create', ada, form({ ...wanted, department_id: 2 }, large, aFile('a.txt'))),
    await desk.post('/api/tickets/create', ada, form(wanted, aFile('huge.mp4', Buffer.alloc(12_000_001))))
  ]

  assert.deepEqual(
    replies.map(reply => reply.status),
    [400, 400, 400, 413]
  )
  assert.deepEqual(await everything(), before)
})

test('an upload whose sender goes away in the middle leaves nothing', async () => {
  const ada = await aClient(desk)
  const before = await everything()
  const start = `--cut\r\ncontent-disposition: form-data; name="a"; filename="a.txt"\r\n\r\n${'x'.repeat(6_000_000)}`

  const upload = request(`${desk.url}/api/tickets/create`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'multipart/form-data; boundary=cut',
      'content-length': 20_000_000
    }
  })
  upload.on('error', () => {})
  upload.write(start)
  await until(async () => (await bucket.unfinished()).length === 1)
  upload.destroy()
  await until(async () => (await bucket.unfinished()).length === 0)

  assert.deepEqual(await everything(), before)
})

test('a store that is away is a 503 with a time to come back, one without room a 507, and nothing is written', async () => {
  const ada = await aClient(desk)
  const { attachments } = await aTicket(desk, ada, {}, [aFile('a.txt', 'content')])
  const url = desk.url + attachments[0].file_path
  const before = await everything()

  server.meets(/^PUT /, { status: 503, code: 'SlowDown' }, 3)
  const away = await desk.post('/api/tickets/create', ada, form(wanted, aFile('b.txt')))
  server.meets(/^PUT /, { status: 403, code: 'QuotaExceeded' })
  const full = await desk.post('/api/tickets/create', ada, form(wanted, aFile('b.txt')))
  server.meets(/^GET /, { status: 500, code: 'InternalError' }, 3)
  const download = await get(url, ada)

  assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '5'])
  assert.equal(full.status, 507)
  assert.deepEqual([download.status, download.headers.get('retry-after')], [503, '5'])
  assert.deepEqual(await everything(), before)
  assert.equal((await get(url, ada)).status, 200)
})

test('the sweep sets objects aside that no ticket names and keeps those that one does', async () => {
  const ada = await aClient(desk)
  await aTicket(desk, ada, {}, [aFile('a.txt'), aFile('b.txt')])
  const known = await bucket.held()
  const lost = () =>
    desk.services.files.stage(Readable.from(['lost']), { fileName: 'l.txt', fileType: '' }, { maxBytes: 9 })
  await desk.services.files.keep([await lost()])
  await lost()

  const sweep = await sweepUploads(desk.services, { olderThanMilliseconds: 0 })

  const held = await bucket.held()
  assert.equal(sweep.quarantined, 2)
  assert.deepEqual(
    held.filter(key => !key.startsWith('desk/quarantine/')),
    known
  )
  assert.equal(held.length, known.length + 2)
})

test('files are looked into where they are, and no link leads to one that is not clean', async t => {
  const clamd = await startClamd()
  t.after(() => clamd.stop())
  linking.services.scanner = clamdScanner(clamd.address, 60)
  t.after(() => {
    linking.services.scanner = undefined
  })
  const ada = await aClient(linking)
  const { attachments } = await aTicket(linking, ada, {}, [
    aFile('clean.mp4', randomBytes(7_000_000)),
    aFile('virus.txt', eicar)
  ])
  const answers = () =>
    Promise.all(attachments.map(({ file_path }: { file_path: string }) => get(linking.url + file_path, ada)))

  const early = await answers()
  await linking.deliver()
  const late = await answers()

  assert.deepEqual(
    early.map(answer => [answer.status, answer.headers.get('location')]),
    [
      [503, null],
      [503, null]
    ]
  )
  assert.deepEqual(
    late.map(answer => answer.status),
    [302, 410]
  )
  assert.deepEqual(
    clamd.sizes.toSorted((one, other) => one - other),
    [eicar.length, 7_000_000]
  )
})

test('the settings lead to the store and to the scanner, and the doctor tries both', async t => {
  const clamd = await startClamd()
  t.after(() => clamd.stop())
  const { options, held } = await server.bucket()
  const { host, port } = clamd.address as { host: string; port: number }
  const settings = {
    DATA_DIR: `${desk.dataDir}/none`,
    S3_ENDPOINT: server.url,
    S3_BUCKET: options.bucket,
    S3_ACCESS_KEY: options.credentials!.accessKeyId,
    S3_SECRET_KEY: options.credentials!.secretAccessKey,
    CLAMD_SOCKET: `${host}:${port}`
  }

  const [well, ill] = await Promise.all([
    run(['doctor'], settings),
    run(['doctor'], { ...settings, S3_SECRET_KEY: 'wrong', CLAMD_SOCKET: `${desk.dataDir}/none` })
  ])

  assert.match(well.output, new RegExp(`^ok {3}files: they can be stored in the bucket ${options.bucket}$`, 'm'))
  assert.match(well.output, /^ok {3}scanner: it scans every file before it can be downloaded \(OK\)$/m)
  assert.equal(well.code, 0)
  assert.match(ill.output, /^fail files: S3 bucket \S+ at \S+ cannot be used: SignatureDoesNotMatch/m)
  assert.match(ill.output, /^fail scanner: clamd: connect ENOENT/m)
  assert.equal(ill.code, 1)
  assert.deepEqual(await held(), [])
})

/** Waits for a state of the service that follows after the sender has disconnected. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await isSo()); await pause(10)) {
    assert.ok(Date.now() < deadline, 'it did not happen in time')
  }
}
