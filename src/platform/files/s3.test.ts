import assert from 'node:assert/strict'
import { createHash, hash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { aFileOwner } from '../../../test/support/file-owner.ts'
import { startS3 } from '../../../test/support/s3-server.ts'
import { FileStoreFull, FileStoreUnavailable, FileTooLarge, ForeignFiles } from './file-store.ts'
import { aKeptFile, fileStoreContract, largeLimit, pdf } from './file-store-contract.ts'
import { fileSweepContract, sweepsAll } from './file-sweep-contract.ts'
import { type S3Options, s3FileStore } from './s3.ts'

const day = 86_400_000
const server = await startS3()
after(() => server.stop())

async function aStore(given: Partial<S3Options> = {}) {
  const bucket = await server.bucket()
  const options = { ...bucket.options, ...given }
  const held = async () => [...(await bucket.held()), ...(await bucket.unfinished())]
  return { ...bucket, options, store: s3FileStore(options), held }
}

const underTest = async () => {
  const { store, held, age } = await aStore()
  return { store, held, age: (except?: string) => age(day, except) }
}
fileStoreContract('on S3', underTest)
fileSweepContract('on S3', underTest)

/** So many MiB in chunks as they come from a socket, told as they are asked for. */
async function* mebibytes(count: number, onChunk: (chunk: Buffer) => void = () => {}) {
  for (let chunk = 0; chunk < count * 16; chunk++) {
    const bytes = randomBytes(65_536)
    onChunk(bytes)
    yield bytes
  }
}

function stream(chunks: AsyncIterable<Buffer>): Readable {
  return Readable.from(chunks, { objectMode: false })
}

test('a large file of unknown length goes up in parts, of which no more than two wait in memory', async () => {
  const { store, unfinished } = await aStore()
  const expected = createHash('sha256')
  const before = server.receivedBytes()
  let producedBytes = 0
  let mostWaitingBytes = 0
  const content = mebibytes(40, chunk => {
    producedBytes += chunk.length
    expected.update(chunk)
    mostWaitingBytes = Math.max(mostWaitingBytes, producedBytes - (server.receivedBytes() - before))
  })

  const file = await store.stage(stream(content), pdf, largeLimit)
  await store.keep([file])
  const stored = createHash('sha256')
  for await (const chunk of (await store.open(file.path))!.stream) stored.update(chunk)

  assert.equal(file.fileSizeBytes, 40 * 1024 * 1024)
  assert.equal(file.sha256, expected.copy().digest('hex'))
  assert.equal(stored.digest('hex'), expected.digest('hex'))
  assert.ok(mostWaitingBytes <= 11 * 1024 * 1024, `${mostWaitingBytes} bytes were waiting`)
  assert.deepEqual(await unfinished(), [])
})

test('an object comes into being whole: until its last part has come there is none', async () => {
  const { store, held, unfinished } = await aStore()
  const seen: unknown[] = []
  async function* content() {
    yield* mebibytes(12)
    seen.push((await held()).length, (await unfinished()).length)
    throw new Error('the sender went away')
  }

  await assert.rejects(store.stage(stream(content()), pdf, largeLimit), /the sender went away/)

  assert.deepEqual(seen, [1, 1])
  assert.deepEqual(await held(), [])
})

test('a file that grows too large after many parts leaves none of them', async () => {
  const { store, held } = await aStore()

  await assert.rejects(store.stage(stream(mebibytes(14)), pdf, { maxBytes: 12_000_000 }), FileTooLarge)

  assert.deepEqual(await held(), [])
})

test('the sender hears of the fault of the content even when its parts cannot be forgotten, which a sweep does then', async () => {
  const { store, held, age } = await aStore()
  server.meets(/^DELETE .*uploadId=/, { status: 500, code: 'InternalError' }, 3)

  await assert.rejects(store.stage(stream(mebibytes(14)), pdf, { maxBytes: 12_000_000 }), FileTooLarge)
  const left = await held()
  const early = await store.sweep(async () => new Set(), { ...sweepsAll, olderThanMilliseconds: day })
  await age(day + 1)
  const late = await store.sweep(async () => new Set(), { ...sweepsAll, olderThanMilliseconds: day })

  assert.equal(left.length, 1)
  assert.deepEqual([early.unfinished, late.unfinished], [0, 1])
  assert.deepEqual(await held(), [])
})

test('keeping asks nothing of the store: the transaction that waits for it is short', async () => {
  const { store } = await aStore()
  const file = await store.stage(Readable.from(['content']), pdf, largeLimit)
  const asked = server.requests.length

  await store.keep([file])

  assert.equal(server.requests.length, asked)
})

test('a file that another process has kept is served and kept here', async () => {
  const { store, options } = await aStore()
  const other = s3FileStore(options)

  const file = await aKeptFile(store, 'content')
  await other.keep([file])

  assert.equal((await buffer((await other.open(file.path))!.stream)).toString(), 'content')
})

test('objects lie below the prefix, under the path that the contract shows', async () => {
  const { store, held } = await aStore({ prefix: 'a/b/' })

  const { path } = await aKeptFile(store, 'content')

  assert.deepEqual(await held(), [`a/b${path}`])
})

test('a sweep goes through as many pages as there are', async () => {
  const { store, held, age } = await aStore({ pageSize: 5 })
  const kept = await Promise.all(Array.from({ length: 23 }, (_, at) => aKeptFile(store, `${at}`)))
  await age(day)
  const asked: string[][] = []

  const sweep = await store.sweep(
    async paths => {
      asked.push(paths)
      return new Set([kept[3]!.path])
    },
    { ...sweepsAll, evenMostlyUnknown: true }
  )

  assert.equal(sweep.quarantined, 22)
  assert.deepEqual(
    asked.map(paths => paths.length).filter(count => count > 0),
    [5, 5, 5, 5, 3]
  )
  const left = (await held()).filter(key => key.startsWith('desk/uploads/'))
  assert.deepEqual(left, [`desk${kept[3]!.path}`])
})

test('nobody takes away or replaces what another installation keeps in the same bucket, whatever the rows say', async () => {
  const { store, options, held, age } = await aStore()
  const copy = s3FileStore({ ...options, owner: aFileOwner({ copiedFrom: ['this installation'] }) })
  const beside = s3FileStore({ ...options, owner: aFileOwner(), prefix: 'other/' })
  const file = await aKeptFile(store, 'production')
  await aKeptFile(beside, 'beside')
  const before = await held()
  await age(day)

  const sweep = await copy.sweep(async () => new Set(), { ...sweepsAll, evenMostlyUnknown: true })
  await assert.rejects(copy.discard([file]), ForeignFiles)
  await assert.rejects(copy.restore(file.path, Readable.from(['replaced'])), ForeignFiles)
  const own = await aKeptFile(copy, 'staging')
  await copy.discard([own])

  assert.deepEqual([sweep.foreign, sweep.files, sweep.quarantined], [1, 0, 0])
  assert.equal((await buffer((await copy.open(file.path))!.stream)).toString(), 'production')
  assert.deepEqual(await held(), before)
})

test('what an installation kept before it was moved is its own, and what bears no id is left alone', async () => {
  const { store, options, held, age } = await aStore()
  const moved = s3FileStore({ ...options, owner: aFileOwner({ formerIds: ['this installation'] }) })
  const file = await aKeptFile(store, 'ours')
  const old = await aKeptFile(store, 'from before there were ids')
  const client = new S3Client({ ...options, forcePathStyle: true } as S3ClientConfig)
  await client.send(new PutObjectCommand({ Bucket: options.bucket, Key: `desk${old.path}`, Body: 'no id' }))
  await age(day)

  const sweep = await moved.sweep(async () => new Set(), { ...sweepsAll, evenMostlyUnknown: true })

  assert.equal(sweep.quarantined, 1)
  assert.deepEqual(await held(), [`desk/quarantine${file.path.slice('/uploads'.length)}`, `desk${old.path}`])
  await moved.discard([file, old])
  assert.deepEqual(await held(), [])
})

test('a link works without our keys, as an attachment of the given name and type, with ranges, for a minute and this file only', async () => {
  const { store } = await aStore({ presignedDownloads: true })
  const [file, other] = [await aKeptFile(store, '0123456789'), await aKeptFile(store, 'other')]

  const link = await store.link(file.path, { fileName: 'Größe "1".pdf', fileType: 'application/pdf' })
  const whole = await fetch(link!)
  const part = await fetch(link!, { headers: { range: 'bytes=2-5' } })
  const swapped = await fetch(link!.replace(file.path, other.path))
  const unsigned = await fetch(link!.split('?')[0]!)

  assert.equal(await whole.text(), '0123456789')
  assert.equal(whole.headers.get('content-type'), 'application/pdf')
  assert.equal(
    whole.headers.get('content-disposition'),
    `attachment; filename="Gr__e _1_.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.pdf`
  )
  assert.deepEqual([part.status, await part.text()], [206, '2345'])
  assert.equal(new URL(link!).searchParams.get('X-Amz-Expires'), '60')
  assert.deepEqual([swapped.status, unsigned.status], [403, 403])
})

test('links lead to the address that callers know; there are none unless they are wanted, and none to what is in quarantine', async () => {
  const known = await aStore({ presignedDownloads: true, publicEndpoint: 'https://files.example.com' })
  const plain = await aStore()

  const [one, other] = [await aKeptFile(known.store, 'a'), await aKeptFile(plain.store, 'b')]

  assert.match((await known.store.link(one.path, one))!, /^https:\/\/files\.example\.com\/desk-\d+\/desk\/uploads\//)
  assert.equal(await plain.store.link(other.path, other), undefined)
  await known.age(day)
  await known.store.sweep(async () => new Set(), { ...sweepsAll, evenMostlyUnknown: true })
  assert.equal(await known.store.link(one.path, one), undefined)
})

test('a store that does not answer, has no such bucket or refuses our keys is unavailable, and says why', async () => {
  const { options } = await aStore()
  const stopped = await startS3()
  await stopped.stop()
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'wrong' }
  const broken: [RegExp, Partial<S3Options>][] = [
    [/ECONNREFUSED/, { endpoint: stopped.url }],
    [/NoSuchBucket/, { bucket: 'no-such-bucket' }],
    [/SignatureDoesNotMatch/, { credentials }]
  ]

  for (const [reason, given] of broken) {
    const store = s3FileStore({ ...options, ...given })
    const content = Readable.from(Array.from({ length: 200 }, () => Buffer.alloc(65_536)))
    const path = `/uploads/tickets/ab/${'ab'.repeat(16)}.pdf`
    const failures = [
      () => store.stage(content, pdf, largeLimit),
      () => store.restore(path, Readable.from(['x'])),
      () => store.open(path),
      () => store.discard([{ path }]),
      () => store.sweep(async () => new Set(), sweepsAll),
      () => store.check()
    ]

    for (const failure of failures) {
      await assert.rejects(failure, (error: Error) => {
        assert.ok(error instanceof FileStoreUnavailable, String(error))
        return reason.test(error.message)
      })
    }
  }
})

test('a store without room is full, leaves nothing of the file, and the next one that fits is taken', async () => {
  const { store, held } = await aStore()

  server.meets(/^PUT .*partNumber=2/, { status: 507, code: 'InsufficientStorage' })
  await assert.rejects(store.stage(stream(mebibytes(12)), pdf, largeLimit), FileStoreFull)
  server.meets(/^PUT /, { status: 403, code: 'QuotaExceeded' })
  await assert.rejects(store.stage(Readable.from(['small']), pdf, largeLimit), FileStoreFull)
  const afterwards = await held()
  await aKeptFile(store, 'fits')

  assert.deepEqual(afterwards, [])
  assert.equal((await held()).length, 1)
})

test('a store that is busy for a moment is asked again', async () => {
  const { store } = await aStore()

  server.meets(/^PUT /, { status: 503, code: 'SlowDown' })
  server.meets(/^PUT .*partNumber=2/, { status: 500, code: 'InternalError' })
  const file = await store.stage(stream(mebibytes(6)), pdf, largeLimit)
  await store.keep([file])

  const { stream: content, sizeBytes } = (await store.open(file.path))!
  assert.equal(hash('sha256', await buffer(content)), file.sha256)
  assert.equal(sizeBytes, 6 * 1024 * 1024)
})

test('a download that the store breaks off is an error, never a shorter file', async () => {
  const { store } = await aStore()
  const { path } = await aKeptFile(store, randomBytes(2_000_000))

  server.meets(/^GET /, 'cut off')
  const opened = await store.open(path)

  await assert.rejects(buffer(opened!.stream))
})
