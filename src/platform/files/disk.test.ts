import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { diskFileStore } from './disk.ts'
import { FileStoreFull, FileTooLarge, filePathPattern } from './file-store.ts'

const pdf = { fileName: 'Bill.pdf', fileType: 'application/pdf' }
const roomy = { maxBytes: 100_000_000 }

async function aStore(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-files-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  return { dataDir, store: diskFileStore(dataDir) }
}

async function filesBelow(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return entries.filter(entry => !entry.isDirectory()).map(entry => join(entry.parentPath, entry.name))
}

async function aKeptFile(store: ReturnType<typeof diskFileStore>, content: string | Buffer) {
  const file = await store.stage(Readable.from([Buffer.from(content)]), pdf, roomy)
  await store.keep([file])
  return file
}

test('a kept file is served byte for byte, and told with its cleaned name, type, size and digest', async t => {
  const { store } = await aStore(t)
  const content = randomBytes(300_000)

  const staged = await store.stage(
    Readable.from([content.subarray(0, 7), content.subarray(7)]),
    { fileName: '..\\Bill.PDF', fileType: 'application/pdf' },
    roomy
  )
  await store.keep([staged])
  const opened = await store.open(staged.path)

  const { path, ...facts } = staged
  assert.match(path, filePathPattern)
  assert.ok(path.endsWith('.pdf'))
  assert.deepEqual(facts, {
    fileName: 'Bill.PDF',
    fileType: 'application/pdf',
    fileSizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex')
  })
  assert.equal(opened?.sizeBytes, content.length)
  assert.ok(content.equals(await buffer(opened!.stream)))
})

test('an empty file is a file', async t => {
  const { store } = await aStore(t)

  const file = await aKeptFile(store, '')
  const opened = await store.open(file.path)

  assert.equal(opened?.sizeBytes, 0)
  assert.equal((await buffer(opened!.stream)).length, 0)
})

test('of a 30 MB stream never more than 1 MB waits in memory to be written', async t => {
  const { dataDir, store } = await aStore(t)
  const expected = createHash('sha256')
  let producedBytes = 0
  let mostWaitingBytes = 0
  async function* content() {
    for (let chunk = 0; chunk < 480; chunk++) {
      const written = (await filesBelow(dataDir)).map(async place => (await stat(place)).size)
      mostWaitingBytes = Math.max(mostWaitingBytes, producedBytes - ((await written[0]) ?? 0))
      const bytes = randomBytes(65_536)
      producedBytes += bytes.length
      expected.update(bytes)
      yield bytes
    }
  }

  const file = await store.stage(Readable.from(content(), { objectMode: false }), pdf, roomy)

  assert.equal(file.fileSizeBytes, 31_457_280)
  assert.equal(file.sha256, expected.digest('hex'))
  assert.ok(mostWaitingBytes <= 1_000_000, `${mostWaitingBytes} bytes were waiting`)
})

test('files and folders are their owner’s alone', async t => {
  const { dataDir, store } = await aStore(t)

  await aKeptFile(store, 'private')

  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const modes = entries.map(async entry => [
    entry.isDirectory(),
    (await stat(join(entry.parentPath, entry.name))).mode & 0o777
  ])
  for (const [isFolder, mode] of await Promise.all(modes)) assert.equal(mode, isFolder ? 0o700 : 0o600)
})

test('a sender that breaks off leaves nothing behind, at whatever moment it does', async t => {
  const { dataDir, store } = await aStore(t)
  const broken = new Error('connection reset')

  const beforehand = new Readable({ read() {} })
  beforehand.destroy()
  await once(beforehand, 'close')
  await assert.rejects(store.stage(beforehand, pdf, roomy), { code: 'ERR_STREAM_PREMATURE_CLOSE' })

  const atOnce = new Readable({ read() {} })
  const first = store.stage(atOnce, pdf, roomy)
  atOnce.destroy(broken)
  await assert.rejects(first, broken)

  const midway = Readable.from(
    (async function* () {
      yield Buffer.alloc(100_000)
      assert.equal((await filesBelow(dataDir)).length, 1)
      throw broken
    })()
  )
  await assert.rejects(store.stage(midway, pdf, roomy), broken)

  assert.deepEqual(await filesBelow(dataDir), [])
})

test('a file of exactly the largest size is taken, one byte more is refused and leaves nothing behind', async t => {
  const { dataDir, store } = await aStore(t)

  const taken = await store.stage(Readable.from([Buffer.alloc(1000)]), pdf, { maxBytes: 1000 })
  await store.discard([taken])
  await assert.rejects(
    store.stage(Readable.from([Buffer.alloc(1000), Buffer.alloc(1)]), pdf, { maxBytes: 1000 }),
    FileTooLarge
  )

  assert.equal(taken.fileSizeBytes, 1000)
  assert.deepEqual(await filesBelow(dataDir), [])
})

test('after a refusal the content is read on to its end, and breaking off then harms nobody', async t => {
  const { store } = await aStore(t)
  const finite = Readable.from(Array.from({ length: 50 }, () => Buffer.alloc(65_536)))
  const endless = new Readable({ read() {} })
  endless.push(Buffer.alloc(2))
  const ended = once(finite, 'end')

  await assert.rejects(store.stage(finite, pdf, { maxBytes: 1 }), FileTooLarge)
  await assert.rejects(store.stage(endless, pdf, { maxBytes: 1 }), FileTooLarge)

  await ended
  assert.equal(endless.destroyed, false)
  endless.destroy(new Error('connection reset'))
  await new Promise(resolve => endless.once('close', resolve))
})

test('a staged file is not served before it is kept, and keeping it twice is keeping it once', async t => {
  const { store } = await aStore(t)
  const file = await store.stage(Readable.from(['hello']), pdf, roomy)

  const early = await store.open(file.path)
  await store.keep([file])
  await store.keep([file])
  const opened = await store.open(file.path)

  assert.equal(early, undefined)
  assert.equal((await buffer(opened!.stream)).toString(), 'hello')
})

test('keeping a file that was never staged is an error, not a silent loss', async t => {
  const { store } = await aStore(t)

  await assert.rejects(store.keep([{ path: `/uploads/tickets/ab/${'ab'.repeat(16)}.pdf` }]), { code: 'ENOENT' })
  await assert.rejects(store.keep([{ path: '/uploads/tickets/../x.pdf' }]), /Not a path of the file store/)
})

test('a range is served with both its ends, cut to what is there', async t => {
  const { store } = await aStore(t)
  const { path } = await aKeptFile(store, '0123456789')
  const part = async (start: number, end: number) => {
    const opened = await store.open(path, { start, end })
    assert.equal(opened?.sizeBytes, 10)
    return (await buffer(opened!.stream)).toString()
  }

  assert.equal(await part(0, 0), '0')
  assert.equal(await part(2, 5), '2345')
  assert.equal(await part(8, 99), '89')
  assert.equal(await part(10, 20), '')
})

test('discarded files are gone, staged or kept, and the same once more or a foreign path is no failure', async t => {
  const { dataDir, store } = await aStore(t)
  const staged = await store.stage(Readable.from(['a']), pdf, roomy)
  const kept = await aKeptFile(store, 'b')
  const outside = join(dataDir, 'outside.txt')
  await writeFile(outside, 'stays')

  await store.discard([staged, kept])
  await store.discard([staged, kept, { path: '/uploads/tickets/../../outside.txt' }])

  assert.equal(await store.open(kept.path), undefined)
  assert.deepEqual(await filesBelow(dataDir), [outside])
})

test('no path leads anywhere but to a kept file', async t => {
  const { dataDir, store } = await aStore(t)
  const { path } = await aKeptFile(store, 'a')
  const name = `${'ab'.repeat(16)}.pdf`
  await writeFile(join(dataDir, 'secret'), 'secret')
  await mkdir(join(dataDir, 'uploads/tickets/ab'), { recursive: true })
  await symlink(join(dataDir, 'secret'), join(dataDir, 'uploads/tickets/ab', name))
  await mkdir(join(dataDir, `uploads/tickets/ab/${'cd'.repeat(16)}.pdf`))
  const paths = [
    '',
    '/uploads/tickets/../../secret',
    '/uploads/tickets/ab/../../../secret',
    `/uploads/tickets/../tickets${path.slice(16)}`,
    `${path}\n`,
    `${path}\0`,
    `${path}/`,
    path.slice(1),
    path.toUpperCase(),
    `http://host${path}`,
    `/uploads/tickets/ab/${name}`,
    `/uploads/tickets/ab/${'cd'.repeat(16)}.pdf`,
    `/uploads/tickets/ef/${'ef'.repeat(16)}.pdf`
  ]

  for (const wrong of paths) assert.equal(await store.open(wrong), undefined, JSON.stringify(wrong))
})

test('a sweep removes old unfinished and unknown files, and keeps known, young and foreign ones', async t => {
  const { dataDir, store } = await aStore(t)
  const hour = 3_600_000
  const [known, unknown, young] = [
    await aKeptFile(store, 'known'),
    await aKeptFile(store, 'unknown'),
    await aKeptFile(store, 'young')
  ]
  await store.stage(Readable.from(['unfinished']), pdf, roomy)
  const foreign = join(dataDir, 'uploads/tickets/README.txt')
  await writeFile(foreign, 'by the operator')
  const yesterday = new Date(Date.now() - 24 * hour)
  for (const place of await filesBelow(dataDir)) {
    if (!place.endsWith(young.path)) await utimes(place, yesterday, yesterday)
  }
  const unfinishedYoung = await store.stage(Readable.from(['arriving']), pdf, roomy)

  const removed = await store.sweep(async paths => new Set(paths.filter(path => path === known.path)), hour)

  await store.keep([unfinishedYoung])
  const left = [join(dataDir, known.path), join(dataDir, young.path), join(dataDir, unfinishedYoung.path), foreign]
  assert.equal(removed, 2)
  assert.equal(await store.open(unknown.path), undefined)
  assert.deepEqual((await filesBelow(dataDir)).sort(), left.sort())
})

test('a sweep asks in batches and removes nothing that it could not ask about', async t => {
  const { dataDir, store } = await aStore(t)
  const folder = join(dataDir, 'uploads/tickets/ab')
  await mkdir(folder, { recursive: true })
  const names = Array.from({ length: 1100 }, () => `${randomBytes(16).toString('hex')}.txt`)
  await Promise.all(names.map(name => writeFile(join(folder, name), '')))
  const sizes: number[] = []

  await assert.rejects(
    store.sweep(() => Promise.reject(new Error('no database')), 0),
    /no database/
  )
  const afterFailure = (await filesBelow(dataDir)).length
  const removed = await store.sweep(async paths => {
    sizes.push(paths.length)
    return new Set()
  }, 0)

  assert.equal(afterFailure, 1100)
  assert.deepEqual(sizes, [500, 500, 100])
  assert.equal(removed, 1100)
})

test('a sweep of a store that was never used finds nothing', async t => {
  const { store } = await aStore(t)

  assert.equal(await store.sweep(async () => new Set(), 0), 0)
})

test('the check passes and leaves nothing where files can be written, and throws where they cannot', async t => {
  const { dataDir, store } = await aStore(t)
  const noFolder = join(dataDir, 'file')
  await writeFile(noFolder, '')

  await store.check()
  await assert.rejects(diskFileStore(noFolder).check(), { code: 'ENOTDIR' })

  assert.deepEqual(await filesBelow(dataDir), [noFolder])
})

test('a full disk is told as such, leaves nothing of the file, and the next one that fits is taken', async t => {
  const { dataDir, store } = await aStore(t)
  const run = promisify(execFile)
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dataDir])
  } catch (error) {
    t.skip(`a small file system cannot be mounted here: ${String(error)}`)
    return
  }

  try {
    const chunks = Array.from({ length: 40 }, () => Buffer.alloc(65_536))
    await assert.rejects(store.stage(Readable.from(chunks), pdf, roomy), FileStoreFull)
    assert.deepEqual(await filesBelow(dataDir), [])

    const file = await aKeptFile(store, 'fits')
    assert.equal((await readFile(join(dataDir, file.path))).toString(), 'fits')
  } finally {
    await run('umount', [dataDir])
  }
})
