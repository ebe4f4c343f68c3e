import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { erase } from '../../../test/support/erasure.ts'
import { isReplayed, newIdempotencyKey, postWithKey } from '../../../test/support/idempotency-keys.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { scrubErased } from '../../outward/erasure/scrub-erased.ts'

const desk = await bootDesk()

async function kept(): Promise<string[]> {
  const rows = await desk.db.selectFrom('idempotency_keys').select('people').execute()
  return rows.map(({ people }) => people.toSorted().join(' ')).toSorted()
}

for (const mode of ['cascade', 'anonymize']) {
  test(`of a client who is erased (${mode}) no answer is kept, whoever was given it; those about others stay`, async () => {
    await desk.db.deleteFrom('idempotency_keys').execute()
    const [ada, mary, admin] = [await aClient(desk), await aClient(desk), await anAdmin(desk)]
    const done: [string, { token: string } | undefined, object][] = []
    for (const client of [ada, mary]) {
      const { ticket_id: id, ticket_number } = await aTicket(desk, client)
      done.push(
        ['/api/tickets/reply', client, { id, message: 'Hello?' }],
        ['/api/account/profile/update', client, { city: 'London' }],
        ['/api/admin/tickets/reply', admin, { id: ticket_number.toLowerCase(), message: 'Hello.' }],
        ['/api/admin/tickets/note', admin, { id, note: 'Smokes.' }],
        ['/api/admin/tickets/bulk', admin, { ids: [id], action: 'priority', priority: 'High' }],
        [
          '/api/admin/tickets/create',
          admin,
          { client_id: client.id, department_id: 1, subject: 'Call', message: 'Hi' }
        ],
        ['/api/admin/clients/update', admin, { id: client.id, city: 'Paris' }]
      )
    }
    const signUp = {
      first_name: 'Zoe',
      last_name: 'Smith',
      email: `zoe.${mode}@example.com`,
      password: 'correct horse'
    }
    const { data: zoe } = await postWithKey(desk, newIdempotencyKey(), '/api/auth/signup', undefined, signUp)
    for (const [path, asker, body] of done) {
      const reply = await postWithKey(desk, newIdempotencyKey(), path, asker, body)
      assert.ok(reply.status < 300, `${path} ${reply.body.message}`)
    }
    assert.equal((await kept()).length, done.length + 1)

    await erase(desk, admin, ada, mode)
    const left = await kept()
    await erase(desk, admin, { ...ada, id: zoe.user_id, email: zoe.email }, mode)

    const [c, s] = [`client:${mary.id}`, `staff:${admin.id}`]
    const ofMary = [...Array(2).fill(c), ...Array(5).fill(`${c} ${s}`)].toSorted()
    assert.deepEqual(left, [...ofMary, `client:${zoe.user_id}`].toSorted())
    assert.deepEqual(await kept(), ofMary)
  })
}

test('an erasure with a key is done once, tells so again, and its answer outlives the scrubbing', async () => {
  const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
  await aTicket(desk, ada)
  const key = newIdempotencyKey()
  const body = { id: ada.id, mode: 'cascade', confirm_email: ada.email }
  const remove = () => postWithKey(desk, key, '/api/admin/clients/delete', admin, body)
  const first = await remove()

  await scrubErased(desk.services)
  const again = await remove()

  assert.deepEqual([first.status, again.status, isReplayed(again)], [200, 200, true])
  assert.deepEqual(again.body, first.body)
})

test('what a request that was on its way has kept of an erased client is scrubbed', async () => {
  const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
  await erase(desk, admin, ada, 'anonymize')
  const row = { scope: newIdempotencyKey(), fingerprint: 'x', sealed_answer: 'x', people: [`client:${ada.id}`] }
  const now = desk.clock.now()
  await desk.db
    .insertInto('idempotency_keys')
    .values({ ...row, created_at: now, expires_at: now })
    .execute()

  await scrubErased(desk.services)

  const rows = await desk.db.selectFrom('idempotency_keys').where('scope', '=', row.scope).select('scope').execute()
  assert.deepEqual(rows, [])
})

test('of a member of staff who is deleted no answer is kept', async () => {
  const [grace, admin] = [await aSupporter(desk, 'tickets.reply', 'tickets.view_all'), await anAdmin(desk)]
  const { ticket_id: id } = await aTicket(desk, await aClient(desk))
  await postWithKey(desk, newIdempotencyKey(), '/api/admin/tickets/note', grace, { id, note: 'Smokes.' })
  await postWithKey(desk, newIdempotencyKey(), '/api/admin/staff/update', admin, { id: grace.id, first_name: 'Hedy' })

  await desk.post('/api/admin/staff/delete', admin, { id: grace.id })

  assert.ok(!(await kept()).join(' ').split(' ').includes(`staff:${grace.id}`))
})
