import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const call = (name: string, body: object = {}) => desk.post(`/api/admin/kb/categories/${name}`, admin, body)

async function aCategory(name: string, given: object = {}): Promise<number> {
  const { category } = (await call('create', { name: { en: name }, audience: 'public', ...given })).data
  return category.id
}

/** The names of a level, in their order. */
async function levelOf(parent_id: number): Promise<string[]> {
  const { categories } = (await call('list')).data
  return categories
    .filter((each: { parent_id: number | null }) => each.parent_id === parent_id)
    .map(({ name }: { name: { en: string } }) => name.en)
}

test('a category is put before another of its level or at the end, also where several have the same position', async () => {
  const top = await aCategory('top')
  const [, b, c, d] = [
    await aCategory('a', { parent_id: top, position: 2 }),
    await aCategory('b', { parent_id: top, position: 2 }),
    await aCategory('c', { parent_id: top, position: 2 }),
    await aCategory('d', { parent_id: top, position: 7 })
  ]
  const put = async (id: number, before_id: number | null) => {
    assert.equal((await call('update', { id, before_id })).status, 200)
    return (await levelOf(top)).join('')
  }

  assert.equal(await put(d, b), 'adbc')
  assert.equal(await put(d, null), 'abcd')
  assert.equal(await put(b, c), 'abcd')
  assert.equal(await put(c, b), 'acbd')
  assert.equal((await call('update', { id: c, before_id: d, dry_run: 1 })).status, 200)
  assert.equal((await levelOf(top)).join(''), 'acbd')
})

test('a category is put into another level in one step, and nowhere where its neighbour is not', async () => {
  const [one, two] = [await aCategory('one'), await aCategory('two')]
  const [inOne, inTwo] = [await aCategory('x', { parent_id: one }), await aCategory('y', { parent_id: two })]

  const elsewhere = await call('update', { id: inOne, before_id: inTwo })
  const itself = await call('update', { id: inOne, before_id: inOne })
  const circle = await call('update', { id: one, parent_id: inOne, before_id: null })
  const before = [await levelOf(one), await levelOf(two)]
  const moved = await call('update', { id: inOne, parent_id: two, before_id: inTwo })

  assert.deepEqual([elsewhere.status, elsewhere.body.errors], [404, ['before_id']])
  assert.deepEqual([itself.status, circle.status, circle.body.errors], [404, 400, ['parent_id']])
  assert.deepEqual(before, [['x'], ['y']])
  assert.equal(moved.status, 200)
  assert.deepEqual([await levelOf(one), await levelOf(two)], [[], ['x', 'y']])
})

test('K2 categories that are moved into each other at once make no circle, and those of a level keep an order', async () => {
  const [one, two] = [await aCategory('into two'), await aCategory('into one')]
  const replies = await Promise.all([
    call('update', { id: one, parent_id: two, before_id: null }),
    call('update', { id: two, parent_id: one, before_id: null })
  ])
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 400])

  const top = await aCategory('at once')
  const ids = [1, 2, 3, 4].map(name => aCategory(`n${name}`, { parent_id: top }))
  const made = await Promise.all(ids)
  await Promise.all(made.map((id, at) => call('update', { id, before_id: made[(at + 2) % 4]! })))
  const { categories } = (await call('list')).data
  const level = categories.filter((each: { parent_id: number | null }) => each.parent_id === top)
  assert.deepEqual(
    level.map(({ position }: { position: number }) => position),
    [1, 2, 3, 4]
  )
})
