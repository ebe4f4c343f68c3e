import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { aKeptFile, largeLimit, pdf, type StoreUnderTest } from './file-store-contract.ts'

const hour = 3_600_000
/** Quarantines every unknown file whatever its age, and removes none for good. */
export const sweepsAll = { olderThanMilliseconds: 0, quarantineMilliseconds: 24 * hour }

/** A database that names these files. */
function knows(...files: { path: string }[]) {
  return async (paths: string[]) => new Set(paths.filter(path => files.some(file => file.path === path)))
}

/** The tests of what every store promises about its sweep and quarantine. */
export function fileSweepContract(kind: string, aStore: (t: TestContext) => Promise<StoreUnderTest>): void {
  const promise = (sentence: string, body: (t: TestContext) => Promise<void>) => test(`${kind}: ${sentence}`, body)

  promise(
    'a sweep sets old unknown files aside, removes old unfinished ones, and keeps known and young ones',
    async t => {
      const { store, held, age } = await aStore(t)
      const [known, also, unknown, young] = [
        await aKeptFile(store, 'known'),
        await aKeptFile(store, 'known as well'),
        await aKeptFile(store, 'unknown'),
        await aKeptFile(store, 'young')
      ]
      await age(young.path)
      const arriving = await store.stage(Readable.from(['arriving']), pdf, largeLimit)

      const sweep = await store.sweep(knows(known, also), { ...sweepsAll, olderThanMilliseconds: hour })

      await store.keep([arriving])
      const paths = (await held()).filter(name => name.includes('/uploads/tickets/')).map(pathIn)
      assert.deepEqual([sweep.held, sweep.quarantined, sweep.removed], [undefined, 1, 0])
      assert.deepEqual(paths.sort(), [known.path, also.path, young.path, arriving.path].sort())
      assert.equal((await buffer((await store.open(unknown.path))!.stream)).toString(), 'unknown')
    }
  )

  promise(
    'what lies in the quarantine is told, served to whom a row names it, and comes back with the row',
    async t => {
      const { store, held, age } = await aStore(t)
      const [known, lost] = [await aKeptFile(store, 'known'), await aKeptFile(store, 'lost and found')]
      await aKeptFile(store, 'known too')
      const before = (await held()).sort()
      await age()
      await store.sweep(async paths => new Set(paths.filter(path => path !== lost.path)), sweepsAll)
      const { oldest, ...size } = await store.quarantine()
      const part = await store.open(lost.path, { start: 0, end: 3 })
      const served = (await buffer(part!.stream)).toString()

      const sweep = await store.sweep(async paths => new Set(paths), { ...sweepsAll, quarantineMilliseconds: -hour })

      assert.deepEqual(size, { files: 1, bytes: 14 })
      // The time since it was quarantined, not since it was stored.
      assert.ok(oldest!.getTime() > Date.now() - hour)
      assert.equal(served, 'lost')
      assert.deepEqual([sweep.returned, sweep.removed], [1, 0])
      assert.deepEqual((await held()).sort(), before)
      assert.equal((await buffer((await store.open(known.path))!.stream)).toString(), 'known')
    }
  )

  promise('the quarantine is emptied of what has been there long enough, and of what is discarded', async t => {
    const { store, held, age } = await aStore(t)
    const files = [await aKeptFile(store, 'a'), await aKeptFile(store, 'b'), await aKeptFile(store, 'c')]
    const known = [await aKeptFile(store, 'd'), await aKeptFile(store, 'e'), await aKeptFile(store, 'f')]
    await age()
    await store.sweep(knows(...known), sweepsAll)

    await store.discard([files[0]!])
    const young = await store.sweep(knows(...known), sweepsAll)
    const left = (await store.quarantine()).files
    await age()
    const old = await store.sweep(knows(...known), { ...sweepsAll, quarantineMilliseconds: hour })

    assert.deepEqual([young.removed, left, old.removed], [0, 2, 2])
    assert.equal((await held()).length, 3)
  })

  promise('where most files are unknown none is taken away, however long the quarantine has held one', async t => {
    const { store, held, age } = await aStore(t)
    const known = [await aKeptFile(store, 'a'), await aKeptFile(store, 'b')]
    const early = await aKeptFile(store, 'c')
    await age()
    await store.sweep(knows(...known), sweepsAll)
    await age()
    const before = (await held()).sort()

    const sweep = await store.sweep(knows(known[0]!), { ...sweepsAll, quarantineMilliseconds: hour })
    const none = await store.sweep(async () => new Set(), { ...sweepsAll, quarantineMilliseconds: hour })

    assert.deepEqual([sweep.held, sweep.quarantined, sweep.removed], [undefined, 1, 1])
    assert.deepEqual([none.held, none.files, none.unknown], ['mostly unknown', 1, 1])
    assert.equal(before.length - (await held()).length, 1)
    assert.equal(await store.open(early.path), undefined)
  })

  promise('a sweep removes nothing that it could not ask about', async t => {
    const { store, held, age } = await aStore(t)
    await aKeptFile(store, 'known or not')
    await age()

    await assert.rejects(
      store.sweep(() => Promise.reject(new Error('no database')), sweepsAll),
      /no database/
    )

    assert.equal((await held()).length, 1)
  })

  promise('a sweep of a store that was never used finds nothing', async t => {
    const { store } = await aStore(t)

    const sweep = await store.sweep(async () => new Set(), sweepsAll)

    assert.deepEqual([sweep.held, sweep.files, sweep.quarantined, sweep.unfinished], [undefined, 0, 0, 0])
  })
}

function pathIn(name: string): string {
  return name.slice(name.indexOf('/uploads/tickets/'))
}
