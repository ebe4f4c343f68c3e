import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { aFileOwner } from '../../../test/support/file-owner.ts'
import { diskFileStore } from './disk.ts'
import { FileStoreFull } from './file-store.ts'
import { aKeptFile, fileStoreContract, largeLimit, pdf } from './file-store-contract.ts'
import { fileSweepContract, sweepsAll } from './file-sweep-contract.ts'

const day = 86_400_000

async function aStore(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-files-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  return { dataDir, store: diskFileStore(dataDir, aFileOwner()) }
}

async function filesBelow(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => !entry.isDirectory() && entry.name !== '.installation')
    .map(entry => join(entry.parentPath, entry.name))
}

async function age(dataDir: string, except = '-'): Promise<void> {
  const yesterday = new Date(Date.now() - day)
  for (const place of await filesBelow(dataDir)) {
    if (!place.endsWith(except)) await utimes(place, yesterday, yesterday)
  }
}

const underTest = async (t: TestContext) => {
  const { dataDir, store } = await aStore(t)
  return { store, held: () => filesBelow(dataDir), age: (except?: string) => age(dataDir, except) }
}
fileStoreContract('on disk', underTest)
fileSweepContract('on disk', underTest)

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

  const file = await store.stage(Readable.from(content(), { objectMode: false }), pdf, largeLimit)

  assert.equal(file.fileSizeBytes, 31_457_280)
  assert.equal(file.sha256, expected.digest('hex'))
  assert.ok(mostWaitingBytes <= 1_000_000, `${mostWaitingBytes} bytes were waiting`)
})

test('while the disk is slow no more than 1 MB waits, and a chunk is released when it has been written', async t => {
  const { dataDir, store } = await aStore(t)
  const chunks = Array.from({ length: 128 }, () => randomBytes(65_536))
  const bytes = { produced: 0, written: 0, released: 0, mostWaiting: 0 }
  const probe = await open(join(dataDir, 'probe'), 'w')
  const handles = Object.getPrototypeOf(probe) as FileHandle
  const { writev } = handles
  t.mock.method(handles, 'writev', async function (this: FileHandle, batch: Buffer[]) {
    for (let turn = 0; turn < 100; turn++) await nextTurn()
    bytes.mostWaiting = Math.max(bytes.mostWaiting, bytes.produced - bytes.written)
    const done = await writev.call(this, batch)
    bytes.written += done.bytesWritten
    return done
  })
  await probe.close()
  async function* content() {
    for (const chunk of chunks) {
      bytes.produced += chunk.length
      yield chunk
    }
  }
  const release = (chunk: Buffer) => {
    bytes.released += chunk.length
    assert.ok(bytes.released <= bytes.written)
    chunk.fill(0)
  }

  const sha256 = createHash('sha256').update(Buffer.concat(chunks)).digest('hex')
  const file = await store.stage(Readable.from(content()), pdf, { ...largeLimit, release })
  await store.keep([file])

  const stored = await readFile(join(dataDir, file.path))
  assert.equal(createHash('sha256').update(stored).digest('hex'), sha256)
  assert.equal(file.sha256, sha256)
  assert.equal(bytes.released, stored.length)
  assert.ok(bytes.mostWaiting <= 1_000_000, `${bytes.mostWaiting} bytes were waiting`)
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

test('nothing outside the uploads is ever discarded, and what is no plain file is never served', async t => {
  const { dataDir, store } = await aStore(t)
  const outside = join(dataDir, 'outside.txt')
  const name = `${'ab'.repeat(16)}.pdf`
  await writeFile(outside, 'stays')
  await mkdir(join(dataDir, 'uploads/tickets/ab'), { recursive: true })
  await symlink(outside, join(dataDir, 'uploads/tickets/ab', name))
  await mkdir(join(dataDir, `uploads/tickets/ab/${'cd'.repeat(16)}.pdf`))

  const link = await store.open(`/uploads/tickets/ab/${name}`)
  const folder = await store.open(`/uploads/tickets/ab/${'cd'.repeat(16)}.pdf`)
  await store.discard([{ path: '/uploads/tickets/../../outside.txt' }])

  assert.deepEqual([link, folder], [undefined, undefined])
  assert.equal(await readFile(outside, 'utf8'), 'stays')
})

test('a sweep keeps files that are not the store’s', async t => {
  const { dataDir, store } = await aStore(t)
  await aKeptFile(store, 'unknown')
  const foreign = join(dataDir, 'uploads/tickets/README.txt')
  await writeFile(foreign, 'by the operator')
  await age(dataDir)

  const { quarantined } = await store.sweep(async () => new Set(), { ...sweepsAll, evenMostlyUnknown: true })

  assert.equal(quarantined, 1)
  assert.equal((await filesBelow(dataDir)).length, 2)
  assert.equal(await readFile(foreign, 'utf8'), 'by the operator')
})

test('a sweep asks in batches', async t => {
  const { dataDir, store } = await aStore(t)
  const folder = join(dataDir, 'uploads/tickets/ab')
  await mkdir(folder, { recursive: true })
  const names = Array.from({ length: 1100 }, () => `${randomBytes(16).toString('hex')}.txt`)
  await Promise.all(names.map(name => writeFile(join(folder, name), '')))
  const sizes: number[] = []

  const { quarantined } = await store.sweep(
    async paths => {
      sizes.push(paths.length)
      return new Set()
    },
    { ...sweepsAll, evenMostlyUnknown: true }
  )

  assert.deepEqual(sizes, [500, 500, 100])
  assert.equal(quarantined, 1100)
})

test('the check throws where files cannot be written', async t => {
  const { dataDir } = await aStore(t)
  const noFolder = join(dataDir, 'file')
  await writeFile(noFolder, '')

  await assert.rejects(diskFileStore(noFolder, aFileOwner()).check(), { code: 'ENOTDIR' })

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
    await assert.rejects(store.stage(Readable.from(chunks), pdf, largeLimit), FileStoreFull)
    assert.deepEqual(await filesBelow(dataDir), [])

    const file = await aKeptFile(store, 'fits')
    assert.equal((await readFile(join(dataDir, file.path))).toString(), 'fits')
  } finally {
    await run('umount', [dataDir])
  }
})
