import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'
import { type Db, transaction } from '../../core/db.ts'
import { candidates } from './candidates.ts'
import type { Scope } from './scope.ts'
import { wordQuery } from './word-query.ts'

const desk = await bootDesk()
const everything: Scope = {
  visibility: { column: undefined, owner: 0, departments: undefined },
  notes: true,
  clients: 'all'
}

async function plansOf(scope: Scope, typed: string): Promise<string[]> {
  return await transaction(desk.db, async db => {
    await sql`set local plan_cache_mode = force_custom_plan`.execute(db)
    const words = (await wordQuery(db, typed))!
    const plans: string[] = []
    for (const candidate of candidates(db, scope, { typed, ...words })) plans.push(await planOf(db, candidate))
    return plans
  })
}

async function planOf(db: Db, query: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<Record<string, string>>`explain ${query}`.execute(db)
  return rows.map(row => row['QUERY PLAN']).join('\n')
}

test('among thousands a rare word is looked up in the indexes, a common one is found from the newest back, and few tickets by their client', async () => {
  const ada = await aClient(desk)
  await sql`insert into clients (first_name, last_name, email, password)
    select 'Name' || n, 'Family' || n, 'n' || n || '@example.test', '' from generate_series(1, 3000) as n`.execute(
    desk.db
  )
  await sql`insert into tickets (client_id, department_id, subject)
    select clients.id, 1, 'Subject number ' || id || ' of them' from clients`.execute(desk.db)
  await sql`insert into ticket_messages (ticket_id, client_id, sender_first_name, sender_last_name, message)
    select id, client_id, 'A', 'B', 'Everybody says this about word' || (id % 1500) || ' and x' || md5(id::text) || '.'
    from tickets`.execute(desk.db)
  await sql`insert into ticket_notes (ticket_id, author_first_name, author_last_name, note)
    select id, 'A', 'B', 'Everybody noted: word' || (id % 1500) || md5(id::text) from tickets`.execute(desk.db)
  await sql`vacuum analyze`.execute(desk.db)

  const rare = await plansOf(everything, 'word17')
  const common = await plansOf(everything, 'everybody')
  const own: Scope = {
    visibility: { column: 'client_id', owner: ada.id, departments: undefined },
    notes: false,
    clients: 'none'
  }
  const mine = await plansOf(own, 'everybody')

  const indexes = [
    'ticket_words_index',
    'ticket_messages_words_index',
    'ticket_notes_words_index',
    'client_words_index'
  ]
  for (const [at, index] of indexes.entries()) assert.match(rare[at]!, new RegExp(`Bitmap Index Scan on ${index}`))
  assert.match(common[1]!, /Backward using ticket_messages_pkey/)
  assert.match(common[2]!, /Backward using ticket_notes_pkey/)
  for (const plan of mine) assert.match(plan, /tickets_\w*client\w*_index/, plan)
  for (const plan of [...rare, ...common, ...mine])
    assert.doesNotMatch(plan, /Seq Scan on \w*(words|messages|notes)/, plan)
})
