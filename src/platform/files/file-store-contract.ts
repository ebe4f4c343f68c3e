import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { type FileStore, FileTooLarge, filePathPattern } from './file-store.ts'

/** A new store for one test, with ways to inspect and change it from outside. */
export interface StoreUnderTest {
  store: FileStore
  /** The names of everything in it, including unfinished files. That of a kept file ends in its path. */
  held(): Promise<string[]>
  /** Makes everything in it a day old, except this path. */
  age(except?: string): Promise<void>
}

export const pdf = { fileName: 'Bill.pdf', fileType: 'application/pdf' }
export const largeLimit = { maxBytes: 1_000_000_000 }

export async function aKeptFile(store: FileStore, content: string | Buffer) {
  const file = await store.stage(Readable.from([Buffer.from(content)]), pdf, largeLimit)
  await store.keep([file])
  return file
}

/** The tests of what every store promises, whatever its implementation. */
export function fileStoreContract(kind: string, aStore: (t: TestContext) => Promise<StoreUnderTest>): void {
  const promise = (sentence: string, body: (t: TestContext) => Promise<void>) => test(`${kind}: ${sentence}`, body)

  promise('a kept file is served byte for byte, and told with its cleaned name, type, size and digest', async t => {
    const { store } = await aStore(t)
    const content = randomBytes(300_000)

    const staged = await store.stage(
      Readable.from([content.subarray(0, 7), content.subarray(7)]),
      { fileName: '..\\Bill.PDF', fileType: 'application/pdf' },
      largeLimit
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

  promise('an empty file is a file', async t => {
    const { store } = await aStore(t)

    const file = await aKeptFile(store, '')
    const opened = await store.open(file.path)

    assert.equal(opened?.sizeBytes, 0)
    assert.equal((await buffer(opened!.stream)).length, 0)
  })

  promise('a sender that breaks off leaves nothing behind, at whatever moment it does', async t => {
    const { store, held } = await aStore(t)
    const broken = new Error('connection reset')

    const beforehand = new Readable({ read() {} })
    beforehand.destroy()
    await once(beforehand, 'close')
    await assert.rejects(store.stage(beforehand, pdf, largeLimit), { code: 'ERR_STREAM_PREMATURE_CLOSE' })

    const atOnce = new Readable({ read() {} })
    const first = store.stage(atOnce, pdf, largeLimit)
    atOnce.destroy(broken)
    await assert.rejects(first, broken)

    for (const chunks of [1, 200]) {
      const midway = Readable.from(
        (async function* () {
          for (let chunk = 0; chunk < chunks; chunk++) yield Buffer.alloc(65_536)
          throw broken
        })()
      )
      await assert.rejects(store.stage(midway, pdf, largeLimit), broken)
    }

    assert.deepEqual(await held(), [])
  })

  promise(
    'a file of exactly the largest size is taken, one byte more is refused and leaves nothing behind',
    async t => {
      const { store, held } = await aStore(t)

      for (const size of [1000, 6_000_000]) {
        const taken = await store.stage(Readable.from([Buffer.alloc(size)]), pdf, { maxBytes: size })
        await store.discard([taken])
        await assert.rejects(
          store.stage(Readable.from([Buffer.alloc(size), Buffer.alloc(1)]), pdf, { maxBytes: size }),
          FileTooLarge
        )
        assert.equal(taken.fileSizeBytes, size)
      }

      assert.deepEqual(await held(), [])
    }
  )

  promise('after a refusal the content is read on to its end, and breaking off then harms nobody', async t => {
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

  promise('a staged file is not served before it is kept, and keeping it twice is keeping it once', async t => {
    const { store } = await aStore(t)
    const file = await store.stage(Readable.from(['hello']), pdf, largeLimit)

    const early = await store.open(file.path)
    const earlyLink = await store.link(file.path, file)
    await store.keep([file])
    await store.keep([file])
    const opened = await store.open(file.path)

    assert.equal(early, undefined)
    assert.equal(earlyLink, undefined)
    assert.equal((await buffer(opened!.stream)).toString(), 'hello')
  })

  promise('keeping a file that was never staged is an error, not a silent loss', async t => {
    const { store } = await aStore(t)
    const path = `/uploads/tickets/ab/${'ab'.repeat(16)}.pdf`

    await assert.rejects(store.keep([{ path }]), error => (error as Error).message.includes('ab/abab'))
    await assert.rejects(store.keep([{ path: '/uploads/tickets/../x.pdf' }]), /Not a path of the file store/)
  })

  promise('a range is served with both its ends, cut to what is there', async t => {
    const { store } = await aStore(t)
    const { path } = await aKeptFile(store, '0123456789')
    const part = async (start: number, end: number) => {
      const opened = await store.open(path, { start, end })
      assert.equal(opened?.sizeBytes, 10)
      return (await buffer(opened!.stream)).toString()
    }

    assert.equal(await part(0, 1), '01')
    assert.equal(await part(2, 5), '2345')
    assert.equal(await part(8, 99), '89')
    assert.equal(await part(7, Infinity), '789')
    assert.equal(await part(10, 20), '')
  })

  promise('unstaged files are gone, but not those that have been kept', async t => {
    const { store, held } = await aStore(t)
    const staged = await store.stage(Readable.from(['a']), pdf, largeLimit)
    const kept = await aKeptFile(store, 'b')

    await store.unstage([staged, kept])

    assert.deepEqual(
      (await held()).map(name => name.endsWith(kept.path)),
      [true]
    )
  })

  promise(
    'discarded files are gone, staged or kept, and the same once more or a foreign path is no failure',
    async t => {
      const { store, held } = await aStore(t)
      const staged = await store.stage(Readable.from(['a']), pdf, largeLimit)
      const kept = await aKeptFile(store, 'b')

      await store.discard([staged, kept])
      await store.discard([staged, kept, { path: '/uploads/tickets/../../outside.txt' }])

      assert.equal(await store.open(kept.path), undefined)
      assert.deepEqual(await held(), [])
    }
  )

  promise('no path leads anywhere but to a kept file', async t => {
    const { store } = await aStore(t)
    const { path } = await aKeptFile(store, 'a')
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
      `/uploads/tickets/ef/${'ef'.repeat(16)}.pdf`
    ]

    for (const wrong of paths) assert.equal(await store.open(wrong), undefined, JSON.stringify(wrong))
  })

  promise('a file is put back at its path, in place of what is there, whole or not at all', async t => {
    const { store, held } = await aStore(t)
    const { path } = await aKeptFile(store, 'damaged')
    const content = randomBytes(6_000_000)
    const broken = Readable.from(
      (async function* () {
        yield content
        throw new Error('the archive ends here')
      })()
    )

    await assert.rejects(store.restore(path, broken), /the archive ends here/)
    const before = await buffer((await store.open(path))!.stream)
    const restored = await store.restore(path, Readable.from([content]))
    const after = await buffer((await store.open(path))!.stream)

    assert.equal(before.toString(), 'damaged')
    assert.ok(after.equals(content))
    assert.deepEqual(restored, {
      isNew: false,
      fileSizeBytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex')
    })
    assert.equal((await held()).length, 1)
    await assert.rejects(store.restore('/uploads/tickets/../x.pdf', Readable.from(['x'])), /Not a path/)
  })

  promise('the check passes and leaves nothing where files can be written', async t => {
    const { store, held } = await aStore(t)

    await store.check()

    assert.deepEqual(await held(), [])
  })
}
