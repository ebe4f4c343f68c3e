import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { codeAt, turnTwoFactorOn } from '../../../test/support/authenticator.ts'
import { bootDesk, type Desk } from '../../../test/support/desk.ts'
import { isReplayed, newIdempotencyKey, postWithKey } from '../../../test/support/idempotency-keys.ts'
import { untilLockWait } from '../../../test/support/lock-waits.ts'
import { aClient, type Person } from '../../../test/support/people.ts'
import type { Reply } from '../../../test/support/requests.ts'

const opening = { department_id: 1, subject: 'The printer is on fire', message: 'Please hurry.' }

function open(desk: Desk, key: string, client: Person): Promise<Reply> {
  return postWithKey(desk, key, '/api/tickets/create', client, opening)
}

async function ticketsOf(desk: Desk, { id }: Person): Promise<number> {
  return (await desk.db.selectFrom('tickets').where('client_id', '=', id).select('id').execute()).length
}

for (const connections of [1, 4]) {
  test(`twenty requests with one key at once make one ticket, on ${connections} connections`, async () => {
    const desk = await bootDesk({ connections })
    const ada = await aClient(desk)
    const key = newIdempotencyKey()

    const replies = await Promise.all(Array.from({ length: 20 }, () => open(desk, key, ada)))

    const made = replies.filter(reply => reply.status === 201)
    const running = replies.filter(reply => reply.status === 409)
    assert.equal(made.length + running.length, 20)
    assert.equal(made.filter(reply => !isReplayed(reply)).length, 1)
    assert.equal(new Set(made.map(reply => reply.data.ticket_id)).size, 1)
    for (const { body, headers } of running) {
      assert.deepEqual([body.reason, headers.get('retry-after')], ['idempotency_key_running', '1'])
    }
    assert.equal(await ticketsOf(desk, ada), 1)
    assert.equal(isReplayed(await open(desk, key, ada)), true)
  })
}

test('while the first is running others are told to come again, in this process and in another', async () => {
  const desk = await bootDesk({ connections: 3 })
  const other = await bootDesk({ connections: 2, services: { db: desk.db, pool: desk.services.pool } })
  const ada = await aClient(desk)
  const key = newIdempotencyKey()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
  const holding = desk.db.transaction().execute(async db => {
    await sql`select from clients where id = ${ada.id} for update`.execute(db)
    lock()
    await released
  })
  await locked

  const first = open(desk, key, ada)
  await untilLockWait(desk)
  const here = await open(desk, key, ada)
  const there = await open(other, key, ada)
  release()
  await holding
  const made = await first
  const after = await open(other, key, ada)

  for (const { status, body, headers } of [here, there]) {
    assert.deepEqual([status, body.reason, headers.get('retry-after')], [409, 'idempotency_key_running', '1'])
  }
  assert.deepEqual([made.status, isReplayed(made)], [201, false])
  assert.deepEqual([isReplayed(after), after.data.ticket_id], [true, made.data.ticket_id])
  assert.equal(await ticketsOf(desk, ada), 1)
})

for (const connections of [1, 2]) {
  test(`more keyed requests at once than connections (${connections}) do not wait for one another, whatever they count aside`, async () => {
    const desk = await bootDesk({ connections, config: { MAX_WRONG_PASSWORDS: 1000, MAX_FAILURES_PER_ADDRESS: 1000 } })
    const people: Person[] = []
    for (let made = 0; made < 8; made++) people.push(await aClient(desk))

    // Each holds a connection while its password is verified, and counting needs another; others log in at the same time.
    const changes = people.map(({ password: current_password, ...person }) =>
      postWithKey(desk, newIdempotencyKey(), '/api/account/password', person, {
        current_password,
        new_password: 'battery staple'
      })
    )
    const signUps = people.map((_, at) =>
      postWithKey(desk, newIdempotencyKey(), '/api/auth/signup', undefined, {
        ...{ first_name: 'Mary', last_name: 'Shelley', email: `mary.${at}@example.com`, password: 'correct horse' }
      })
    )
    const logIns = people.map(({ email }) => desk.post('/api/auth/login', undefined, { email, password: 'wrong' }))

    const statusesOf = async (replies: Promise<Reply>[]) => [
      ...new Set((await Promise.all(replies)).map(reply => reply.status))
    ]
    assert.deepEqual(await statusesOf(changes), [200])
    assert.deepEqual(await statusesOf(signUps), [201])
    assert.deepEqual(await statusesOf(logIns), [401])
  })
}

test('a code of the second factor that comes with one key twenty times at once turns it off once', async () => {
  const desk = await bootDesk({ connections: 4, config: { MAX_WRONG_FACTORS: 1000, MAX_FAILURES_PER_ADDRESS: 1000 } })
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)
  const key = newIdempotencyKey()
  const body = { code: codeAt(secret, desk.clock.now()) }

  const replies = await Promise.all(
    Array.from({ length: 20 }, () => postWithKey(desk, key, '/api/auth/2fa/disable', ada, body))
  )

  assert.deepEqual(
    replies.filter(reply => reply.status === 200 && !isReplayed(reply)).map(reply => reply.data),
    [{ two_factor_enabled: 0 }]
  )
  assert.deepEqual([...new Set(replies.map(reply => reply.status))].toSorted(), [200, 409])
})
