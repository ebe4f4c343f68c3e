import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { transaction } from '../../core/db.ts'
import { ticketsWithWords } from './tickets-with-words.ts'

const desk = await bootDesk()

/** `max` as many of a kind are looked up beforehand; of more it is asked ticket by ticket. */
async function found(search: string, max: number): Promise<number[]> {
  return await transaction(desk.db, async db => {
    const having = await ticketsWithWords(db, search, max)
    const tickets = await having(db.selectFrom('tickets')).select('tickets.id').orderBy('tickets.id').execute()
    return tickets.map(({ id }) => id)
  })
}

async function planOf(search: string, max: number): Promise<string> {
  return await transaction(desk.db, async db => {
    const having = await ticketsWithWords(db, search, max)
    const page = having(db.selectFrom('tickets'))
      .where('trashed_at', 'is', null)
      .where('merged_into_id', 'is', null)
      .select('tickets.id')
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .limit(sql.lit(20))
    const { rows } = await sql<Record<string, string>>`explain ${page}`.execute(db)
    return rows.map(row => row['QUERY PLAN']).join('\n')
  })
}

test('the same is found whether it is looked up beforehand or ticket by ticket', async () => {
  const [admin, ada] = [await anAdmin(desk), await aClient(desk, { first_name: 'Ada', email: 'ada@lookup.test' })]
  const bob = await aClient(desk, { first_name: 'Bob', last_name: 'Printer' })
  const open = async (client: typeof ada, subject: string, message: string): Promise<number> =>
    (await aTicket(desk, client, { subject, message })).ticket_id
  const [one, two, three] = [
    await open(ada, 'A printer', 'Everybody uses it.'),
    await open(ada, 'A lamp', 'Not a printer.'),
    await open(ada, 'A lamp', 'Everybody sees it.')
  ]
  const four = await open(bob, 'A chair', 'Everybody sits on it.')
  await desk.post('/api/admin/tickets/note', admin, { id: three, note: 'Next to the printer.' })
  await desk.post('/api/admin/tickets/merge', admin, { id: two, into_id: one })
  const cases: [search: string, expected: number[]][] = [
    ['printer', [one, two, three, four]],
    ['everybody', [one, three, four]],
    ['rinte', [one, four]],
    ['@lookup', [one, two, three]],
    ['lamp', [one, two, three]],
    ['lamp -printer', [one, two, three]],
    ['chair OR lamp', [one, two, three, four]],
    ['every sit', [four]],
    ['nowhere', []],
    ['%%%', []]
  ]

  for (const [search, expected] of cases) {
    assert.deepEqual(await found(search, 1000), expected, search)
    assert.deepEqual(await found(search, 0), expected, search)
  }
})

test('among thousands what is rare goes by the indexes of the search, what is common by the order of the queue', async () => {
  const ada = await aClient(desk)
  await sql`insert into tickets (client_id, department_id, subject)
    select ${ada.id}, 1, 'Number ' || n || ' of ' || md5(n::text) from generate_series(1, 3000) as n`.execute(desk.db)
  await sql`vacuum analyze`.execute(desk.db)

  const [rare, common] = [await planOf('"2999"', 20), await planOf('number', 20)]

  assert.match(rare, /tickets_pkey|Bitmap/, rare)
  assert.match(common, /Index \w*\s*Scan using tickets_queue_index on tickets/, common)
  for (const plan of [rare, common]) assert.doesNotMatch(plan, /Seq Scan on (tickets|ticket_words) /, plan)
})
