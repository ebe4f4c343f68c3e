import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import type { Db } from '../../core/db.ts'
import { sweepExpired } from './sweep.ts'

const now = new Date('2026-11-20T12:00:00Z')
const sweptBy = [
  'rate_limits_resets_index',
  'login_challenges_expires_index',
  'reset_tokens_expires_index',
  'staff_reset_tokens_expires_index',
  'unconfirmed_tickets_expires_index',
  'verification_codes_expires_index',
  'refresh_tokens_expires_index',
  'sessions_ended_index',
  'sessions_living_index',
  'outbox_messages_queued_index',
  'outbox_messages_settled_index'
]
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

describe('the sweep', () => {
  let database: TestDatabase
  let db: Db
  let client: number
  before(async () => {
    database = await testDatabase()
    db = database.db
    const anna = { first_name: 'Anna', last_name: 'Berg', email: 'anna@example.com', password: 'none' }
    client = (await db.insertInto('clients').values(anna).returning('id').executeTakeFirstOrThrow()).id
  })
  after(() => database.close())

  test('each kind is found by an index', async () => {
    const { rows: indexes } = await sql<{ name: string }>`
      select indexrelname as name from pg_stat_user_indexes where idx_scan > 0`.execute(db)
    await sql`set enable_seqscan = off`.execute(db)

    await sweepExpired(db, now)

    await sql`reset enable_seqscan`.execute(db)
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const { rows } = await sql<{ name: string }>`
      select indexrelname as name from pg_stat_user_indexes where idx_scan > 0`.execute(db)
    const used = rows.map(({ name }) => name).filter(name => !indexes.some(index => index.name === name))
    for (const name of sweptBy) assert.ok(used.includes(name), `${name} is not used: ${used}`)
  })

  test('counts of attempts go when their time is over', async () => {
    await db
      .insertInto('rate_limits')
      .values([
        { key: 'over', count: 3, resets_at: daysAgo(0) },
        { key: 'running', count: 3, resets_at: daysAgo(-1) }
      ])
      .execute()

    const swept = await sweepExpired(db, now)

    assert.equal(swept.rate_limits, 1)
    assert.deepEqual(await db.selectFrom('rate_limits').select('key').execute(), [{ key: 'running' }])
  })

  test('challenges, reset tokens and codes go some days after they expired', async () => {
    const owner = { user_type: 'client', user_id: client, password: 'none' } as const
    const grace = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com', password: 'none' }
    const { id: member } = await db.insertInto('staff').values(grace).returning('id').executeTakeFirstOrThrow()
    const code = { client_id: client, target: 'anna@example.com', code: 'digest', is_used: true } as const
    for (const days of [8, 6, 0.5, -1]) {
      const expires_at = daysAgo(days)
      await db
        .insertInto('login_challenges')
        .values({ ...owner, expires_at })
        .execute()
      await db.insertInto('reset_tokens').values({ client_id: client, email: 'ada@example.com', expires_at }).execute()
      await db.insertInto('staff_reset_tokens').values({ staff_id: member, expires_at }).execute()
      await db
        .insertInto('verification_codes')
        .values({ ...code, type: 'email', expires_at })
        .execute()
    }

    const swept = await sweepExpired(db, now)

    assert.deepEqual(
      [swept.login_challenges, swept.reset_tokens, swept.staff_reset_tokens, swept.verification_codes],
      [2, 1, 1, 1]
    )
    const left = await db.selectFrom('reset_tokens').select('expires_at').orderBy('expires_at').execute()
    assert.deepEqual(
      left.map(row => row.expires_at),
      [daysAgo(6), daysAgo(0.5), daysAgo(-1)]
    )
  })

  test('sessions go when they ended or faded away a while ago; one that can still be used stays', async () => {
    const session = async (created: number, ended: number | undefined, tokenExpires: number | undefined) => {
      const owner = { user_type: 'client', user_id: client } as const
      const { id } = await db
        .insertInto('sessions')
        .values({ ...owner, created_at: daysAgo(created), ended_at: ended === undefined ? null : daysAgo(ended) })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (tokenExpires !== undefined) {
        const expires_at = daysAgo(tokenExpires)
        await db
          .insertInto('refresh_tokens')
          .values({ ...owner, session_id: id, token: `token ${id}`, expires_at })
          .execute()
      }
      return id
    }
    await session(10, 8, -20)
    const justEnded = await session(10, 6, -20)
    await session(50, undefined, 20)
    const longKept = await session(400, undefined, -10)
    const fresh = await session(0, undefined, undefined)

    const swept = await sweepExpired(db, now)

    const left = await db.selectFrom('sessions').select('id').orderBy('id').execute()
    const tokens = await db.selectFrom('refresh_tokens').select('session_id').orderBy('session_id').execute()
    assert.deepEqual(
      left.map(row => row.id),
      [justEnded, longKept, fresh]
    )
    assert.deepEqual(
      tokens.map(row => row.session_id),
      [justEnded, longKept]
    )
    assert.deepEqual([swept.sessions, swept.refresh_tokens], [2, 1])
  })

  test('finished e-mails go after a month; one that nobody delivered for days fails and is forgotten', async () => {
    const message = { channel: 'mail', kind: 'email-code', recipient: 'anna@example.com' } as const
    const post = async (state: 'queued' | 'sent', created: number, settled?: number) => {
      const { id } = await db
        .insertInto('outbox_messages')
        .values({ ...message, sealed_content: 'sealed', created_at: daysAgo(created) })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (settled !== undefined) {
        await db
          .updateTable('outbox_messages')
          .set({ state, settled_at: daysAgo(settled) })
          .where('id', '=', id)
          .execute()
      }
      return id
    }
    await post('sent', 31, 31)
    const sent = await post('sent', 31, 29)
    const forgotten = await post('queued', 7)
    // As long as e-mails wait for the server of a mailbox.
    const waiting = await post('queued', 5)

    const swept = await sweepExpired(db, now)

    const columns = ['id', 'state', 'sealed_content', 'last_answer'] as const
    assert.deepEqual(await db.selectFrom('outbox_messages').select(columns).orderBy('id').execute(), [
      { id: sent, state: 'sent', sealed_content: 'sealed', last_answer: null },
      { id: forgotten, state: 'failed', sealed_content: null, last_answer: 'Not delivered in time' },
      { id: waiting, state: 'queued', sealed_content: 'sealed', last_answer: null }
    ])
    assert.deepEqual([swept.outbox_messages, swept.unsent_messages], [1, 1])
  })

  test('more than a batch goes in one sweep', async () => {
    const values = Array.from({ length: 2500 }, (_, at) => ({ key: `over ${at}`, count: 1, resets_at: daysAgo(1) }))
    await db.insertInto('rate_limits').values(values).execute()

    assert.equal((await sweepExpired(db, now)).rate_limits, 2500)
  })
})
