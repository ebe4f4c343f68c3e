import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { isReplayed, newIdempotencyKey, postWithKey } from '../../../test/support/idempotency-keys.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aFile, aTicket, form, storedFiles } from '../../../test/support/tickets.ts'

// If the response cannot be stored, or the commit fails, nothing has changed.

const desk = await bootDesk()
const opening = { department_id: 1, subject: 'The printer is on fire', message: 'Please hurry.' }
const files = () => form(opening, aFile('photo.txt', 'smoke', 'text/plain'))

/** Until the returned function is called, storing a response fails, at once or at the commit. */
async function failing(when: 'at once' | 'at the commit'): Promise<() => Promise<void>> {
  const timing = when === 'at once' ? sql`trigger refuse_answers before` : sql`constraint trigger refuse_answers after`
  const deferred = when === 'at once' ? sql`` : sql`deferrable initially deferred`
  await sql`create or replace function refuse() returns trigger language plpgsql as
    'begin raise exception ''no answer is kept''; end'`.execute(desk.db)
  await sql`create ${timing} insert on idempotency_keys ${deferred} for each row execute function refuse()`.execute(
    desk.db
  )
  return async () => {
    await sql`drop trigger refuse_answers on idempotency_keys`.execute(desk.db)
  }
}

for (const when of ['at once', 'at the commit'] as const) {
  test(`where the answer cannot be kept (${when}) there is no ticket, and the next try makes the only one`, async () => {
    const ada = await aClient(desk)
    const key = newIdempotencyKey()
    const before = await desk.rowCounts()
    const mend = await failing(when)

    const failed = await postWithKey(desk, key, '/api/tickets/create', ada, opening)
    await mend()
    const untouched = await desk.rowCounts()
    const made = await postWithKey(desk, key, '/api/tickets/create', ada, opening)

    assert.equal(failed.status, 500)
    assert.deepEqual(untouched, before)
    assert.deepEqual([made.status, isReplayed(made)], [201, false])
  })
}

test('files whose request is undone after they were kept are removed', async () => {
  const ada = await aClient(desk)
  const before = await storedFiles(desk)
  const mend = await failing('at once')

  const failed = await postWithKey(desk, newIdempotencyKey(), '/api/tickets/create', ada, files())
  await mend()

  assert.equal(failed.status, 500)
  assert.deepEqual(await storedFiles(desk), before)
})

test('files whose commit failed are left to the sweep, since nobody knows whether a row names them', async () => {
  const ada = await aClient(desk)
  const before = await storedFiles(desk)
  const mend = await failing('at the commit')

  const failed = await postWithKey(desk, newIdempotencyKey(), '/api/tickets/create', ada, files())
  await mend()

  assert.equal(failed.status, 500)
  assert.equal((await storedFiles(desk)).length, before.length + 1)
})

test('files that come again with a request that was answered are not kept a second time', async () => {
  const ada = await aClient(desk)
  const key = newIdempotencyKey()
  const before = await storedFiles(desk)

  const first = await postWithKey(desk, key, '/api/tickets/create', ada, files())
  const again = await postWithKey(desk, key, '/api/tickets/create', ada, files())
  const other = await postWithKey(desk, key, '/api/tickets/create', ada, form(opening, aFile('photo.txt', 'fire')))

  assert.deepEqual([first.status, again.status, isReplayed(again), other.status], [201, 201, true, 422])
  assert.equal((await storedFiles(desk)).length, before.length + 1)
})

test('the files of a purged ticket stay until that is committed', async () => {
  const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
  const before = await storedFiles(desk)
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada, {}, [aFile('photo.txt', 'smoke', 'text/plain')])
  await desk.post('/api/admin/tickets/delete', admin, { id })
  const purge = (key: string) => postWithKey(desk, key, '/api/admin/tickets/purge', admin, { id, ticket_number })
  const mend = await failing('at the commit')
  const key = newIdempotencyKey()

  const failed = await purge(key)
  await mend()
  const left = await storedFiles(desk)
  const [purged, again] = [await purge(key), await purge(key)]

  assert.equal(failed.status, 500)
  assert.equal(left.length, before.length + 1)
  assert.deepEqual([purged.status, purged.data.files, isReplayed(again)], [200, 1, true])
  assert.deepEqual(await storedFiles(desk), before)
})

test('in a change of many tickets those that are refused do not undo the others', async () => {
  const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
  const ids = [(await aTicket(desk, ada)).ticket_id, 999_999, (await aTicket(desk, ada)).ticket_id]
  const key = newIdempotencyKey()
  const close = () =>
    postWithKey(desk, key, '/api/admin/tickets/bulk', admin, { ids, action: 'status', status: 'Closed' })

  const [first, again] = [await close(), await close()]

  assert.deepEqual(first.data.done, [ids[0], ids[2]])
  assert.deepEqual([again.body, isReplayed(again)], [first.body, true])
  const rows = await desk.db.selectFrom('tickets').where('id', 'in', ids).select('status').execute()
  assert.deepEqual(rows, [{ status: 'Closed' }, { status: 'Closed' }])
})

test('who deadlocks with others with a key begins anew as a whole', async () => {
  const desk = await bootDesk({ connections: 4 })
  const [ada, mary] = [await aClient(desk), await aClient(desk)]
  const [one, other] = [(await aTicket(desk, ada)).ticket_id, (await aTicket(desk, mary)).ticket_id]
  const admin = await anAdmin(desk)
  const close = (ids: number[]) =>
    postWithKey(desk, newIdempotencyKey(), '/api/admin/tickets/bulk', admin, {
      ids,
      action: 'status',
      status: 'Closed'
    })

  const replies = await Promise.all(Array.from({ length: 6 }, (_, at) => close(at % 2 ? [one, other] : [other, one])))

  assert.deepEqual([...new Set(replies.map(reply => reply.status))], [200])
})
