import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { sequence } from './read-events.ts'

const desk = await bootDesk()

interface PlanNode {
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

test('however long the log is, the sequencer reads of it what is new and what may lie in gaps', async () => {
  await sql`insert into events (kind, subject_type, actor_type, actor_name)
    select 'two_factor.enabled', 'staff', 'system', 'Deskline' from generate_series(1, 20000)`.execute(desk.db)
  await sequence(desk.services)
  await sql`analyze events, event_places`.execute(desk.db)
  const heard = new Set<string>()
  const listened = new WeakSet<object>()
  const listen = (client: pg.PoolClient) => {
    if (listened.has(client)) return
    listened.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      heard.add(String(args[0]))
      return query(...args)
    }) as never
  }
  ;(desk.services.pool as pg.Pool).on('acquire', listen)

  await aTicket(desk, await aClient(desk))
  await sequence(desk.services)

  const ofLog = [...heard].filter(text => /^select .*pg_snapshot_xmin/s.test(text))
  assert.equal(ofLog.length, 1)
  const plan = await desk.db.connection().execute(async db => {
    await sql`set plan_cache_mode = force_generic_plan`.execute(db)
    await sql`prepare unplaced (bigint, integer, json, integer, integer) as ${sql.raw(ofLog[0]!)}`.execute(db)
    const gaps = '[{"from":3,"to":4},{"from":9,"to":9}]'
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`
      explain (format json) execute unplaced (20000, 1000, ${sql.lit(gaps)}, 1000, 1000)`.execute(db)
    return rows[0]!['QUERY PLAN'][0].Plan
  })
  const reads = nodesOf(plan).filter(node => node['Relation Name'] === 'events')
  assert.equal(reads.length, 2)
  for (const read of reads) assert.match(read['Index Cond'] ?? 'none', /id/)
})
