import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { system } from '../actor.ts'
import { act } from '../acts/act.ts'
import { transaction } from '../db.ts'
import type { AuditActor } from './audit-actor.ts'
import { beginAuditLog } from './audit-chain.ts'
import { type Verdict, verdictOn, verifyAudit } from './verify-audit.ts'

const desk = await bootDesk({ connections: 10 })
const grace: AuditActor = { type: 'staff', id: 7, name: 'Grace Hopper', ip: '192.0.2.7', requestId: 'r-1' }

async function events(count: number) {
  for (let number = 1; number <= count; number++) {
    await act(desk.services, number % 2 ? grace : system, async act => {
      act.happened({
        kind: 'setting.changed',
        subject: { type: 'department', id: number },
        before: { name: `Old "${number}" ü` },
        after: { name: 'New', 2: 'two', 1: 'one' }
      })
    })
  }
}

before(() => events(5))

/** The verdict on the log after `harm`, which is undone. */
async function verdictAfter(harm: string, expect?: string): Promise<Verdict> {
  let verdict: Verdict | undefined
  const undone = transaction(desk.db, async db => {
    await sql.raw(harm).execute(db)
    verdict = await verdictOn(db, desk.services.keys, expect)
    throw new Error('undo')
  })
  await assert.rejects(undone, { message: 'undo' })
  return verdict!
}

test('an untouched log verifies, however the facts were written', async () => {
  const verdict = await verifyAudit(desk.services)

  assert.equal(verdict.isIntact, true)
})

test('thirty events at once are one chain without a gap', async () => {
  await Promise.all(Array.from({ length: 30 }, () => events(1)))

  const verdict = await verifyAudit(desk.services)

  assert.ok(verdict.isIntact && verdict.rows === 35)
})

test('an event whose transaction fails is not in the log, and leaves no gap', async () => {
  const earlier = await verifyAudit(desk.services)

  await assert.rejects(
    act(desk.services, grace, async act => {
      act.happened({ kind: 'ticket.watched', ticket: 1 })
      throw new Error('no')
    })
  )

  assert.deepEqual(await verifyAudit(desk.services), earlier)
})

for (const [what, harm, rowId, reason] of [
  ['an altered fact', `update audit_log set after = '{"name":"Never"}' where id = 3`, 3, /altered/],
  ['another actor', 'update audit_log set actor_id = 8 where id = 1', 1, /altered/],
  ['a row taken out', 'delete from audit_log where id = 2', 2, /missing/],
  ['a cut tail', 'delete from audit_log where id > 4', 5, /cut off/],
  [
    'a cut tail with a moved end',
    'delete from audit_log where id > 4; update audit_head set last_id = 4, last_hash = (select hash from audit_log where id = 4)',
    4,
    /sealed end of the log has been altered/
  ]
] as const) {
  test(`${what} is found, with the row`, async () => {
    const verdict = await verdictAfter(harm)

    assert.ok(!verdict.isIntact)
    assert.equal(verdict.rowId, rowId)
    assert.match(verdict.reason, reason)
  })
}

test('a log that was emptied altogether, end included, is found', async () => {
  const verdict = await verdictAfter('delete from audit_log; delete from audit_head')

  assert.ok(!verdict.isIntact)
  assert.match(verdict.reason, /sealed end of the log is missing/)
})

test('a log that was emptied and went on is found, also after a restart', async () => {
  const own = await bootDesk()
  const happen = () =>
    act(own.services, grace, async act => {
      act.happened({
        kind: 'setting.changed',
        subject: { type: 'department', id: 1 },
        before: {},
        after: { name: 'New' }
      })
    })
  await happen()
  await verifyAudit(own.services)
  await sql`delete from audit_log`.execute(own.db)
  await sql`delete from audit_head`.execute(own.db)

  await beginAuditLog(own.services.keys, own.db)
  await happen()
  const verdict = await verifyAudit(own.services)

  assert.deepEqual(verdict, { isIntact: false, rowId: 1, reason: 'it does not follow the row before it' })
})
