import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import {
  adoptInstallationIds,
  identify,
  identifyImported,
  locationOf,
  storedInstallationId
} from './installation-id.ts'

test('a database keeps its id for as long as it stays where it is, whoever asks and however many at once', async () => {
  const { db } = await testDatabase({ connections: 4 })

  const ids = await Promise.all([1, 2, 3, 4].map(() => identify(db, 'here')))
  const later = await identify(db, 'here')

  assert.equal(new Set([...ids, later].map(({ id }) => id)).size, 1)
  assert.deepEqual([later.formerIds, later.copiedFrom], [[], []])
})

test('a database that is found elsewhere is a copy with an id of its own, the same each time it is found there', async () => {
  const { db } = await testDatabase()
  const { id: original } = await identify(db, 'here')

  const copy = await identify(db, 'there')
  const copyOfCopy = await identify(db, 'elsewhere')

  assert.notEqual(copy.id, original)
  assert.deepEqual([copy.copiedFrom, copy.formerIds], [[original], []])
  assert.deepEqual(copyOfCopy.copiedFrom, [copy.id, original])
})

test('what was moved, and what adopts its original, owns the files of the original; what was restored beside it does not', async () => {
  const { db } = await testDatabase()
  const { id: original } = await identify(db, 'here')
  const [moved, restored] = [randomUUID(), randomUUID()]

  await identifyImported(db, { id: moved, location: 'there', isMoved: true })
  const afterMove = await storedInstallationId(db)
  await identifyImported(db, { id: restored, location: 'elsewhere', isMoved: false })
  const afterRestore = await storedInstallationId(db)
  await adoptInstallationIds(db, [])
  const adopted = await storedInstallationId(db)

  assert.deepEqual([afterMove.id, afterMove.formerIds, afterMove.copiedFrom], [moved, [original], []])
  assert.deepEqual(
    [afterRestore.id, afterRestore.formerIds, afterRestore.copiedFrom],
    [restored, [], [moved, original]]
  )
  assert.deepEqual([adopted.id, adopted.formerIds, adopted.copiedFrom], [restored, [moved, original], []])
})

test('databases of one server lie at different places, and so does a copied folder of the embedded one', async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()])

  const places = [
    await locationOf(one.db, undefined),
    await locationOf(other.db, undefined),
    await locationOf(one.db, import.meta.dirname),
    await locationOf(one.db, `${import.meta.dirname}/..`)
  ]

  assert.equal(new Set(places).size, 4)
  assert.equal(await locationOf(one.db, undefined), places[0])
})
