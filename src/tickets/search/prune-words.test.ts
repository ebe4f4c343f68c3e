import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { transaction } from '../../core/db.ts'
import { catchUp } from './index-words.ts'
import { pruneWords } from './prune-words.ts'
import { rebuildSearch } from './rebuild.ts'

const desk = await bootDesk({ connections: 4 })
const [admin, ada] = [await anAdmin(desk), await aClient(desk)]
const limits = { fewest: 10, fromMessages: 20, batchSize: 4 }

const long = Array.from({ length: 1_500 }, (_, at) => `unheard${at}`).join(' ')

/** Messages with these texts, of which each tenth has the word of the long one. Answers their ids. */
async function write(count: number): Promise<number[]> {
  const { ticket_id } = await aTicket(desk, ada, { subject: 'A spinet' })
  const { rows } = await sql<{ id: number }>`
    insert into ticket_messages (ticket_id, client_id, sender_first_name, sender_last_name, message)
    select ${ticket_id}, ${ada.id}, 'A', 'B',
      'My clavichords stand beside a celesta' || n || case n when 3 then ' ' || ${long} else '' end
    from generate_series(1, ${count}::int) as n returning id`.execute(desk.db)
  await catchUp(desk.db)
  return rows.map(({ id }) => id)
}

async function stored(): Promise<number[]> {
  const rows = await desk.db.selectFrom('message_words').select('message_id').orderBy('message_id').execute()
  return rows.map(row => row.message_id)
}

async function entriesMade(): Promise<unknown[]> {
  const { rows } = await sql`select message_id, xmin::text from searched_messages order by message_id`.execute(desk.db)
  return rows
}

async function messages(query: string, person: Person = admin): Promise<number[]> {
  const path = person === admin ? '/api/admin/search' : '/api/tickets/search'
  const { status, data, body } = await desk.post(path, person, { query, limit: 100 })
  assert.equal(status, 200, body.message)
  const found = (data.results as { kind: string; id: number }[]).filter(({ kind }) => kind === 'message')
  return found.map(({ id }) => id).toSorted((a, b) => a - b)
}

async function forgetAll(): Promise<void> {
  while (await pruneWords(desk.db, limits));
}

const queries = ['clavichord', 'clav celesta7', '"beside a celesta4"', '"a beside"', 'celesta -celesta1', 'unheard77']

test('what is found stays the same when words are forgotten, are made anew in another language, or the text changes', async () => {
  const ids = await write(60)
  const all = await stored()
  const ask = () => Promise.all(queries.flatMap(query => [messages(query), messages(query, ada)]))
  const before = await ask()

  await forgetAll()
  const early = await stored()
  const due = () => sql`update search_places set forgets_at = now()`.execute(desk.db)
  await due()
  const isDone = await transaction(desk.db, async db => {
    await sql`lock table message_words in access share mode`.execute(db)
    return await pruneWords(desk.db, limits)
  })
  await forgetAll()
  const whileHeld = await stored()
  await due()
  const entries = await entriesMade()
  await forgetAll()
  const kept = await stored()
  const entriesAfter = await entriesMade()
  const after = await ask()
  const more = await write(20)
  await forgetAll()
  const later = await stored()
  const last = ids.at(-1)!
  await sql`update ticket_messages set message = 'Harpsichords' where id = ${ids[39]!}`.execute(desk.db)
  const changed = [await messages('"celesta40"'), await messages('harpsichord')]
  await rebuildSearch({ ...desk.services, config: { ...desk.services.config, SEARCH_LANGUAGE: 'german' } })
  const inGerman = [await messages('clavichord'), await messages('clavichords'), await messages('harpsichord')]
  await sql`delete from ticket_messages where id = ${last}`.execute(desk.db)

  assert.deepEqual(early, all, 'an hour has to pass')
  assert.deepEqual([isDone, whileHeld], [false, all], 'somebody held the table: a minute has to pass')
  assert.deepEqual(before[0], ids)
  assert.deepEqual(after, before)
  assert.deepEqual(entriesAfter, entries, 'nothing is indexed anew')
  assert.deepEqual(kept, [ids[2], ...ids.slice(-10)], 'the newest and the long one')
  assert.ok(later.length <= 10 + 1 + limits.batchSize && later.includes(more[19]!) && !later.includes(last), `${later}`)
  assert.deepEqual(changed, [[], [ids[39]]])
  assert.deepEqual(inGerman[0], [...ids, ...more].filter(id => id !== ids[39]).slice(-100))
  assert.deepEqual(inGerman[2], [ids[39]])
  assert.deepEqual(await messages('celesta60'), [])
  const { rows } = await sql`select from message_words where message_id = ${ids[7]!}`.execute(desk.db)
  assert.equal(rows.length, 0, 'a rebuild stores no more than there was')
})

test('code from before is not ready once words are forgotten, and the index that it asked is gone', async () => {
  const { rows } = await sql<{ oldest_code: string; index: string | null }>`
    select oldest_code, to_regclass('message_words_index')::text as index from schema_compatibility`.execute(desk.db)

  assert.equal(rows[0]!.index, null)
  assert.ok(rows[0]!.oldest_code >= '0041c-forgotten-words', rows[0]!.oldest_code)
})
