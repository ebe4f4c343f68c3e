import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { transaction } from '../db.ts'
import { insertEvents } from '../events/insert-events.ts'
import { sequence } from '../events/read-events.ts'
import type { AuditActor } from './audit-actor.ts'
import { auditHashes, beginning, headSeals } from './audit-chain.ts'
import { redactClient } from './redact-audit.ts'
import { verdictOn, verifyAudit } from './verify-audit.ts'

const zebedee: AuditActor = { type: 'client', id: 7, name: 'Zebedee Quixwood', ip: '192.0.2.7', requestId: 'r-7' }
const grace: AuditActor = { type: 'staff', id: 7, name: 'Grace Hopper', ip: '192.0.2.8', requestId: 'r-8' }
const own = { kind: 'profile.changed', subject: { type: 'client', id: 7 }, after: { fields: ['email'] } } as const
const reset = {
  kind: 'client.two_factor_reset',
  subject: { type: 'client', id: 7 },
  before: { two_factor_enabled: true },
  after: { two_factor_enabled: false, reason: 'Zebedee called' }
} as const
const others = {
  kind: 'profile.changed',
  subject: { type: 'staff', id: 7 },
  after: { fields: ['phone_number'] }
} as const

/** A desk in whose log the client 7 appears in the rows 1 and 2 of 3. */
async function aLog(write: 'now' | 'as formerly' = 'now') {
  const desk = await bootDesk({ connections: 3 })
  const { services, db } = desk
  const events = [
    { ...own, by: zebedee },
    { ...reset, by: grace },
    { ...others, by: grace }
  ]
  await insertEvents(db, events, desk.clock.now())
  await sequence(services)
  if (write === 'as formerly') await withoutDigests(desk)
  const redact = () => transaction(db, db => redactClient(services.keys, db, 7, 'Deleted client'))
  const rows = async () =>
    (await sql`select * from audit_log order by id`.execute(db)).rows as Record<string, unknown>[]
  return { services, db, redact, rows }
}

/** Writes the log anew as it was written before there were digests. */
async function withoutDigests({ db, services: { keys } }: Awaited<ReturnType<typeof bootDesk>>) {
  await db.updateTable('audit_log').set({ actor_digest: null, change_digest: null }).execute()
  const { rows } = await sql<Parameters<typeof auditHashes>[1]>`
    select *, before::text as before, after::text as after from audit_log order by id`.execute(db)
  let last = beginning
  for (const row of rows) {
    const previous = last
    last = auditHashes(keys, { ...row, previous_hash: previous })[0]!
    await db.updateTable('audit_log').set({ previous_hash: previous, hash: last }).where('id', '=', row.id).execute()
  }
  const seal = headSeals(keys, rows.length, last)[0]!
  await db.updateTable('audit_head').set({ last_hash: last, seal }).execute()
}

for (const write of ['now', 'as formerly'] as const) {
  test(`who is taken out of a log that was written ${write} is named nowhere in it, and the chain holds to the same end`, async () => {
    const { services, redact, rows } = await aLog(write)
    const earlier = await verifyAudit(services)
    assert.ok(earlier.isIntact)
    const third = (await rows())[2]

    const redacted = [await redact(), await redact()]

    const log = await rows()
    assert.deepEqual(redacted, [2, 0])
    assert.deepEqual(await verifyAudit(services, { expect: earlier.head }), earlier)
    assert.doesNotMatch(JSON.stringify(log), /Zebedee|192\.0\.2\.7|r-7/)
    assert.deepEqual([log[0]!.actor_name, log[0]!.ip_address, log[0]!.after], ['Deleted client', null, own.after])
    assert.deepEqual([log[1]!.actor_name, log[1]!.after], ['Grace Hopper', { two_factor_enabled: false }])
    assert.deepEqual(log[2], third)
    assert.ok(log.every(({ hash }) => typeof hash === 'string' && hash !== beginning))
  })

  for (const [what, harm] of [
    ['another action', `update audit_log set action = 'profile.read' where id = 1`],
    ['another name in the place of the erased one', `update audit_log set actor_name = 'Mallory' where id = 1`],
    ['a fact taken out', `update audit_log set after = null where id = 1`],
    [
      'the seal of another row',
      `update audit_log set redaction_seal = (select redaction_seal from audit_log where id = 2) where id = 1`
    ],
    ['the seal taken away', 'update audit_log set redaction_seal = null where id = 1'],
    [
      'digests taken away',
      'update audit_log set actor_digest = null, change_digest = null, redaction_seal = null where id = 1'
    ]
  ] as const) {
    test(`${what} is found in a log that was written ${write}`, async () => {
      const { services, db, redact } = await aLog(write)
      await redact()

      await sql.raw(harm).execute(db)

      const verdict = await verdictOn(db, services.keys)
      assert.ok(!verdict.isIntact)
      assert.deepEqual([verdict.rowId, verdict.reason], [1, 'its content has been altered'])
    })
  }

  test(`a row that was altered before does not pass for sound once a person is taken out of it (${write})`, async () => {
    const { services, db, redact, rows } = await aLog(write)
    await sql`update audit_log set action = 'profile.read' where id = 1`.execute(db)

    await redact()

    const verdict = await verdictOn(db, services.keys)
    assert.ok(!verdict.isIntact)
    assert.equal(verdict.rowId, 1)
    assert.doesNotMatch(JSON.stringify(await rows()), /Zebedee/)
  })
}

test('nobody without the key takes a name out of the log unseen', async () => {
  const { services, db } = await aLog()

  await sql`update audit_log set actor_name = 'Deleted client', ip_address = null, request_id = null where id = 1`.execute(
    db
  )

  const verdict = await verdictOn(db, services.keys)
  assert.ok(!verdict.isIntact)
  assert.equal(verdict.rowId, 1)
})
