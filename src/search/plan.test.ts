import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { bootDesk } from '../../test/support/desk.ts'
import { aClient } from '../../test/support/people.ts'
import { transaction } from '../platform/db/open.ts'
import { candidates, type Scope } from './candidates.ts'
import { wordQuery } from './word-query.ts'

const desk = await bootDesk()
const everything: Scope = {
  sight: { column: undefined, owner: 0, departments: undefined },
  notes: true,
  clients: 'all'
}

async function plansOf(scope: Scope, typed: string): Promise<string[]> {
  return await transaction(desk.db, async db => {
    await sql`set local plan_cache_mode = force_custom_plan`.execute(db)
    const query = await wordQuery(db, typed)
    const plans: string[] = []
    for (const candidate of candidates(db, scope, { typed, query: query! })) plans.push(await planOf(candidate))
    return plans

    async function planOf(candidate: RawBuilder<unknown>): Promise<string> {
      const { rows } = await sql<Record<string, string>>`explain ${candidate}`.execute(db)
      return rows.map(row => row['QUERY PLAN']).join('\n')
    }
  })
}

test('among thousands, a rare word is looked up in an index; a client’s own tickets are reached through the client', async () => {
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
  await sql`vacuum analyze`.execute(desk.db)

  const rare = await plansOf(everything, '"word77"')
  const own: Scope = {
    sight: { column: 'client_id', owner: ada.id, departments: undefined },
    notes: false,
    clients: 'none'
  }
  const mine = await plansOf(own, 'everybody')

  const indexes = [
    'ticket_words_index',
    'ticket_words_label_index',
    'message_words_index',
    'note_words_index',
    'client_words_index',
    'client_words_label_index'
  ]
  for (const [at, plan] of rare.entries()) assert.match(plan, new RegExp(`Bitmap Index Scan on ${indexes[at]} `), plan)
  assert.equal(rare.length, indexes.length)
  for (const plan of mine) assert.match(plan, /tickets_client\w*_index/, plan)
  for (const plan of mine) assert.doesNotMatch(plan, /Seq Scan/, plan)
})
