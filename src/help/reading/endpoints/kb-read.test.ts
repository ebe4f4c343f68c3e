import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { newIdempotencyKey, postWithKey } from '../../../../test/support/idempotency-keys.ts'
import { anOrganisation, aPersonOf } from '../../../../test/support/organisations.ts'
import { aClient, anAdmin, type Person } from '../../../../test/support/people.ts'
import { aTicket } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const [admin, ada] = [await anAdmin(desk), await aClient(desk)]
const read = (ticket_id: number | string, article_ids: unknown, by: Person | undefined = ada) =>
  desk.post('/api/kb/read', by, { ticket_id, article_ids })

/** The articles that staff see at this ticket as read before it was written. */
async function readBefore(ticket_id: number): Promise<number[]> {
  const { data } = await desk.post('/api/admin/kb/tickets/detail', admin, { ticket_id })
  const articles: { id: number; how: string }[] = data.articles
  return articles.filter(({ how }) => how === 'suggested').map(({ id }) => id)
}

test('staff see at a ticket what its client has read before writing, each article once', async () => {
  const { ticket_id, ticket_number } = await aTicket(desk, ada)
  const [one, other] = [await anArticle(desk, admin), await anArticle(desk, admin, { audience: 'clients' })]

  const first = await read(ticket_id, [other.id, one.id, one.id])
  const again = await read(ticket_number, [one.id])

  assert.deepEqual([first.status, again.status], [200, 200])
  assert.deepEqual(await readBefore(ticket_id), [one.id, other.id])
  const { tickets } = (await desk.post('/api/admin/kb/articles/detail', admin, { id: one.id })).data
  assert.deepEqual(
    tickets.map(({ id, how }: { id: number; how: string }) => [id, how]),
    [[ticket_id, 'suggested']]
  )
})

test('K1 articles that the client may not see are left out, and the answer does not tell', async () => {
  const { ticket_id } = await aTicket(desk, ada)
  const seen = await anArticle(desk, admin)
  const archived = await anArticle(desk, admin)
  await desk.post('/api/admin/kb/articles/archive', admin, { id: archived.id })
  const unseen = [
    (await anArticle(desk, admin, { audience: 'staff' })).id,
    (await anArticle(desk, admin, { isDraft: true })).id,
    archived.id,
    999_999
  ]

  const nothing = await read(ticket_id, unseen)
  const before = await readBefore(ticket_id)
  const some = await read(ticket_id, [...unseen, seen.id])

  assert.deepEqual(nothing.body, some.body)
  assert.deepEqual([before, await readBefore(ticket_id)], [[], [seen.id]])
})

test('only the client whose ticket it is says so, and after a refusal nothing is written', async () => {
  const organisation = await anOrganisation(desk)
  const [member, manager] = [
    await aPersonOf(desk, organisation, 'member'),
    await aPersonOf(desk, organisation, 'manager')
  ]
  const { ticket_id } = await aTicket(desk, member)
  const trashed = await aTicket(desk, member)
  await desk.post('/api/admin/tickets/delete', admin, { id: trashed.ticket_id })
  const { id } = await anArticle(desk, admin)
  const many = Array.from({ length: 11 }, (_, at) => at + 1)
  const before = await desk.rowCounts()

  const refused = [
    await read(ticket_id, [id], ada),
    await read(ticket_id, [id], manager),
    await read(ticket_id, [id], admin),
    await read(999_999, [id], member),
    await read(trashed.ticket_id, [id], member),
    await desk.post('/api/kb/read', undefined, { ticket_id, article_ids: [id] })
  ]
  const unfit = [
    await read(ticket_id, [], member),
    await read(ticket_id, many, member),
    await read(ticket_id, ['x'], member),
    await read(ticket_id, [0], member),
    await read(ticket_id, [null], member),
    await read(ticket_id, null, member)
  ]

  assert.deepEqual(
    refused.map(({ status }) => status),
    [404, 404, 403, 404, 404, 401]
  )
  for (const { status } of unfit) assert.equal(status, 400)
  assert.deepEqual(unfit[1]!.body.errors, ['article_ids'])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a ticket has ten articles at most, also when many requests come at once; a key counts once', async () => {
  const { ticket_id } = await aTicket(desk, ada)
  const articles: number[] = []
  for (let at = 0; at < 14; at++) articles.push((await anArticle(desk, admin)).id)
  const body = { ticket_id, article_ids: articles.slice(0, 2) }
  const key = newIdempotencyKey()

  const [first, replayed] = [
    await postWithKey(desk, key, '/api/kb/read', ada, body),
    await postWithKey(desk, key, '/api/kb/read', ada, body)
  ]
  const answers = await Promise.all(articles.map(id => read(ticket_id, [id])))

  assert.deepEqual([first.status, replayed.body], [200, first.body])
  for (const { status } of answers) assert.equal(status, 200)
  assert.equal((await readBefore(ticket_id)).length, 10)
})
