import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'
import { type Db, transaction } from '../../core/db.ts'
import { candidates, nearCandidates } from './candidates.ts'
import { catchUp } from './index-words.ts'
import { newestCandidates, searchParameters, shapeOf } from './newest-candidates.ts'
import type { Scope } from './scope.ts'
import { wordQuery } from './word-query.ts'

const desk = await bootDesk()
const everything: Scope = {
  visibility: { column: undefined, owner: 0, departments: undefined },
  notes: true,
  clients: 'all'
}

async function plansOf(ways: typeof candidates, scope: Scope, typed: string): Promise<string[]> {
  return await transaction(desk.db, async db => {
    await sql`set local plan_cache_mode = force_custom_plan`.execute(db)
    const { query, exact } = (await wordQuery(db, typed))!
    const plans: string[] = []
    for (const candidate of ways(db, scope, { typed, query, exact })) plans.push(await planOf(db, candidate))
    return plans
  })
}

async function planOfWholeDesk(typed: string): Promise<string> {
  const words = searchParameters(typed, (await wordQuery(desk.db, typed))!)
  const { steps, found } = newestCandidates(desk.db, everything, shapeOf(words), words)
  const all = sql`with recursive ${sql.join(steps)} select * from (${sql.join(found, sql` union all `)}) as found`
  return await planOf(desk.db, all)
}

async function planOf(db: Db, query: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<Record<string, string>>`explain ${query}`.execute(db)
  return rows.map(row => row['QUERY PLAN']).join('\n')
}

test('among thousands, words and parts are looked up block by block in an index; a client’s own tickets are reached through the client', async () => {
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
    select id, 'A', 'B', 'Noted: word' || (id % 1500) || md5(id::text) from tickets`.execute(desk.db)
  await catchUp(desk.db)
  await sql`vacuum analyze`.execute(desk.db)

  const all = await planOfWholeDesk('word')
  const own: Scope = {
    visibility: { column: 'client_id', owner: ada.id, departments: undefined },
    notes: false,
    clients: 'none'
  }
  const mine = await plansOf(candidates, own, 'everybody')

  const near = await plansOf(nearCandidates, everything, 'nubmer')

  const indexes = [
    'ticket_words_index',
    'ticket_words_label_index',
    'searched_messages_index',
    'note_words_index',
    'client_words_index',
    'client_words_label_index'
  ]
  for (const index of indexes) {
    assert.match(
      all,
      new RegExp(`Bitmap Index Scan on ${index} .*\\n +Index Cond: .* AND .*ARRAY`),
      `${index} in ${all}`
    )
  }
  for (const plan of [all, ...near]) assert.doesNotMatch(plan, /Seq Scan/, plan)
  assert.match(near[0]!, /Limit.*\n +-> +Index Only Scan Backward using ticket_words_pkey/, near[0])
  for (const plan of mine) assert.match(plan, /tickets_\w*client\w*_index/, plan)
  for (const plan of mine) assert.doesNotMatch(plan, /Seq Scan/, plan)
})
