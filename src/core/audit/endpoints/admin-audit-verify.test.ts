import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { system } from '../../actor.ts'
import { transaction } from '../../db.ts'
import { insertEvents } from '../../events/insert-events.ts'
import { makeKeys } from '../../keys.ts'
import { permissionSlugs } from '../../permissions.ts'
import { auditActorOf } from '../audit-actor.ts'
import { verifyAudit } from '../verify-audit.ts'
import { AuditTooLong, verifyOnRequest } from '../verify-on-request.ts'

// More than one batch of the verification.
const rows = 1200
const address = '/api/admin/audit/verify'
const keys = makeKeys(['a secret of thirty-two characters, at least'])
let whenDigested = () => {}
const desk = await bootDesk({
  connections: 5,
  services: {
    keys: {
      ...keys,
      digests(purpose, secret) {
        if (purpose === 'audit') whenDigested()
        return keys.digests(purpose, secret)
      }
    }
  }
})
let admin: Person

before(async () => {
  admin = await anAdmin(desk)
})

test('an empty log is whole, up to no row', async () => {
  const { status, data } = await desk.post(address, admin)

  assert.equal(status, 200)
  assert.deepEqual(data, { is_whole: 1, sealed_up_to: null, broken_id: null })
})

test('an untouched log is whole up to its newest row', async () => {
  const ids = Array.from({ length: rows }, (_, at) => at + 1)
  const created = ids.map(
    id =>
      ({
        kind: 'tag.created',
        subject: { type: 'tag', id },
        after: { name: `Tag ${id}`, color: '#ff0000' },
        by: auditActorOf(system)
      }) as const
  )
  await insertEvents(desk.db, created, desk.clock.now())

  const { data } = await desk.post(address, admin)

  assert.deepEqual(data, { is_whole: 1, sealed_up_to: rows, broken_id: null })
})

for (const [what, harm, undo, broken] of [
  [
    'altered',
    `update audit_log set action = 'tag.deleted' where id = 1100`,
    `update audit_log set action = 'tag.created' where id = 1100`,
    1100
  ],
  [
    'taken out',
    'create temporary table kept as select * from audit_log where id = 1; delete from audit_log where id = 1',
    'insert into audit_log select * from kept',
    1
  ]
] as const) {
  test(`the first row that was ${what} is named, and what is before it holds`, async () => {
    let data: unknown
    await desk.db.connection().execute(async db => {
      for (const each of harm.split('; ')) await sql.raw(each).execute(db)
      data = (await desk.post(address, admin)).data
      await sql.raw(undo).execute(db)
    })

    assert.deepEqual(data, { is_whole: 0, sealed_up_to: broken - 1 || null, broken_id: broken })
    assert.equal((await desk.post(address, admin)).data.is_whole, 1)
  })
}

test('nobody but admins learns of it', async () => {
  const supporter = await aSupporter(desk, ...permissionSlugs)
  const client = await aClient(desk)

  const statuses = [undefined, client, supporter].map(async asker => (await desk.post(address, asker)).status)

  assert.deepEqual(await Promise.all(statuses), [401, 403, 403])
})

test('a process does it once at a time: who asks meanwhile is told when to come again', async () => {
  let first: ReturnType<typeof desk.post> | undefined
  await transaction(desk.db, async db => {
    await sql`lock table audit_log in access exclusive mode`.execute(db)
    first = desk.post(address, admin)
    const waits = sql<{ n: number }>`select count(*) as n from pg_locks
      where not granted and relation = 'audit_log'::regclass`
    while ((await waits.execute(db)).rows[0]!.n === 0);
    const second = await desk.post(address, admin)
    assert.equal(second.status, 429)
    assert.ok(Number(second.headers.get('retry-after')) > 0)
    assert.equal(second.body.reason, 'audit_being_verified')
  })

  assert.equal((await first!).data.is_whole, 1)
  assert.equal((await desk.post(address, admin)).status, 200)
})

test('others have their turn while it runs', async () => {
  let digested = 0
  let meanwhile: number | undefined
  whenDigested = () => {
    digested += 1
    if (digested === 1) setImmediate(() => (meanwhile = digested))
  }

  await verifyAudit(desk.services)
  whenDigested = () => {}

  assert.equal(digested, rows)
  assert.ok(meanwhile! <= 100, `${meanwhile}`)
})

test('it ends when the caller hangs up, and leaves the way free for the next', async () => {
  const hangUp = new AbortController()
  let digested = 0
  whenDigested = () => {
    digested += 1
    if (digested === 10) hangUp.abort()
  }

  const headers = { authorization: `Bearer ${admin.token}` }
  await assert.rejects(fetch(desk.url + address, { method: 'POST', headers, signal: hangUp.signal }))
  let next = await desk.post(address, admin)
  const atTheEnd = digested
  while (next.status === 429) next = await desk.post(address, admin)
  whenDigested = () => {}

  assert.equal(next.data.is_whole, 1)
  // The next one has read all the rows, the one before it has not.
  assert.ok(Math.max(atTheEnd, digested) < 2 * rows, `${digested}`)
})

test('a log that takes longer than a request may is given up, and the next may try', async () => {
  const never = new AbortController().signal

  await assert.rejects(verifyOnRequest(desk.services, never, 0), { message: AuditTooLong.text })

  assert.equal((await verifyOnRequest(desk.services, never)).is_whole, 1)
})
