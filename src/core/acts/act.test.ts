import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { outerTransaction } from '../../platform/db/outer-transaction.ts'
import type { AuditActor } from '../audit/audit-actor.ts'
import { type Act, act } from './act.ts'

const desk = await bootDesk({ connections: 4 })
const grace: AuditActor = { type: 'staff', id: 7, name: 'Grace Hopper', ip: '192.0.2.7', requestId: 'r-7' }

let lastTag = 0

/** Tells of a tag that nobody has told of. */
function tell(act: Act): number {
  act.happened({
    kind: 'tag.created',
    subject: { type: 'tag', id: ++lastTag },
    after: { name: 'Urgent', color: '#ff0000' }
  })
  return lastTag
}

async function toldOf(...tags: number[]) {
  const rows = await desk.db
    .selectFrom('events')
    .where('subject_type', '=', 'tag')
    .where('subject_id', 'in', tags)
    .select('subject_id')
    .orderBy('id')
    .execute()
  return rows.map(({ subject_id }) => subject_id)
}

test('what an act tells of is written with it, in its order and at its one moment', async () => {
  const told = await act(desk.services, grace, async act => {
    const tags = [tell(act), tell(act), tell(act)]
    desk.clock.turn(60)
    assert.deepEqual(await toldOf(...tags), [])
    return { tags, now: act.now }
  })

  const events = await desk.db
    .selectFrom('events')
    .where('subject_id', 'in', told.tags)
    .where('kind', '=', 'tag.created')
    .select(['subject_id', 'actor_type', 'actor_id', 'actor_name', 'ip_address', 'request_id', 'after', 'created_at'])
    .orderBy('id')
    .execute()
  const facts = { ...{ actor_type: 'staff', actor_id: 7, actor_name: 'Grace Hopper' }, ...{ ip_address: '192.0.2.7' } }
  const rest = { request_id: 'r-7', after: { name: 'Urgent', color: '#ff0000' }, created_at: told.now }
  assert.deepEqual(
    events,
    told.tags.map(subject_id => ({ subject_id, ...facts, ...rest }))
  )
})

test('a throw undoes all of it, and nothing is done after it', async () => {
  const done: string[] = []
  let tag = 0

  await assert.rejects(
    act(desk.services, grace, async act => {
      tag = tell(act)
      act.beforeCommit(async () => done.push('before the commit'))
      act.afterCommit(async () => done.push('after the commit'))
      throw new Error('no')
    }),
    /no/
  )

  assert.deepEqual(await toldOf(tag), [])
  assert.deepEqual(done, [])
})

test('an act that had to give way begins anew, and what it had told is forgotten', async () => {
  const tags: number[] = []
  const done: number[] = []

  await act(desk.services, grace, async act => {
    const tag = tell(act)
    tags.push(tag)
    act.afterCommit(async () => done.push(tag))
    if (tags.length === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
  })

  assert.deepEqual(await toldOf(...tags), [tags[1]])
  assert.deepEqual(done, [tags[1]])
})

test('what waits for the commit waits for that of the request that the act is a part of', async () => {
  const done: string[] = []
  const both = async (isKept: boolean) =>
    outerTransaction(desk.db, { isRepeatable: false }, async db => {
      await act({ ...desk.services, db }, grace, async act => {
        const tag = tell(act)
        act.beforeCommit(async () => done.push('before'))
        act.afterCommit(async db => done.push(`after, of ${(await toldOf(tag)).length} on ${db === desk.db}`))
      })
      if (!isKept) throw new Error('no')
    })

  await both(true)
  await assert.rejects(both(false), /no/)

  assert.deepEqual(done, ['before', 'after, of 1 on true', 'before'])
})

test('the audit log tells of what its kind says, unless the act says otherwise', async () => {
  const { ticket_id: id } = await aTicket(desk, await aClient(desk))
  const ada: AuditActor = { ...grace, type: 'client' }
  const changed = { kind: 'ticket.status_changed', ticket: id, before: { status: 'Open' } } as const

  await act(desk.services, grace, async act => {
    act.happened({ kind: 'ticket.absorbed', ticket: id, after: { merged: { id: 9, ticket_number: 'TKT-000009' } } })
    act.happened({ ...changed, after: { status: 'Answered' } })
    act.happened({ ...changed, after: { status: 'Closed' } }, ada)
    act.happened({ kind: 'ticket.tagged', ticket: id, before: { tags: ['fire'] }, after: { tags: [] }, logged: false })
    const subjects = { before: { subject: 'Fire' }, after: { subject: 'Ashes' } }
    act.happened({ kind: 'ticket.updated', ticket: id, ...subjects, logged: { after: { other: 1 } } })
  })

  const log = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'ticket')
    .where('target_id', '=', id)
    .select(['action', 'after'])
    .orderBy('id')
    .execute()
  assert.deepEqual(log, [
    { action: 'ticket.status_changed', after: { status: 'Answered' } },
    { action: 'ticket.updated', after: { other: 1 } }
  ])
})
