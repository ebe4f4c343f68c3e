import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk, type Desk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import type { StaffActor } from '../../core/actor.ts'
import type { SearchLanguage } from '../../platform/db/search-languages.ts'
import { initializeSearchLanguage, searchLanguageOf } from './language.ts'
import { rebuildSearch } from './rebuild.ts'
import { searchDesk } from './search.ts'

const admin: StaffActor = {
  population: 'staff',
  id: 1,
  firstName: 'Grace',
  lastName: 'Hopper',
  email: 'grace@example.com',
  role: 'admin',
  permissions: [],
  departments: undefined,
  owesSecondFactor: false
}

async function kindsOf(desk: Desk, query: string): Promise<string[]> {
  const { results } = await searchDesk(desk.db, admin, query, { page: 1, limit: 20, offset: 0 })
  return results.map(({ kind }) => kind)
}

function speaking(desk: Desk, language: SearchLanguage) {
  const warnings: string[] = []
  const log = { ...desk.services.log, warn: (text: string) => warnings.push(text) } as never
  return {
    warnings,
    services: { ...desk.services, log, config: { ...desk.services.config, SEARCH_LANGUAGE: language } }
  }
}

test('an empty desk takes on the language of its settings; one with tickets is told to rebuild, and is rebuilt', async () => {
  const desk = await bootDesk()
  const [german, english] = [speaking(desk, 'german'), speaking(desk, 'english')]
  assert.equal(await searchLanguageOf(desk.db), 'english')

  await initializeSearchLanguage(german.services)
  const ada = await aClient(desk)
  await aTicket(desk, ada, { subject: 'Die Häuser', message: 'Burning wristwatches: Büchern.' })
  const inGerman = [await kindsOf(desk, 'haus'), await kindsOf(desk, 'buch'), await kindsOf(desk, 'burned watch')]
  await initializeSearchLanguage(english.services)
  const before = await searchLanguageOf(desk.db)
  const seen: number[] = []
  const texts = await rebuildSearch(english.services, texts => seen.push(texts))
  await initializeSearchLanguage(english.services)

  assert.deepEqual(inGerman, [['ticket'], ['message'], []])
  assert.equal(before, 'german')
  assert.deepEqual(german.warnings, [])
  assert.deepEqual(english.warnings, [
    'SEARCH_LANGUAGE is english, but the search is in german: run "deskline search rebuild"'
  ])
  assert.deepEqual([texts, seen.at(-1), await searchLanguageOf(desk.db)], [3, 3, 'english'])
  assert.deepEqual(await kindsOf(desk, 'burned wristwatching'), ['message'])
  assert.deepEqual(await kindsOf(desk, 'häuser'), ['ticket'])
})

test('a rebuild makes the words that writing made', async () => {
  const desk = await bootDesk()
  const ada = await aClient(desk, { company_name: 'Analytical & Sons' })
  const { ticket_id } = await aTicket(desk, ada)
  const author = { author_first_name: 'G', author_last_name: 'H' }
  await desk.db
    .insertInto('ticket_notes')
    .values({ ticket_id, note: 'A note of it.', ...author })
    .execute()
  const before = await words(desk)
  await sql`update ticket_words set words = ''`.execute(desk.db)
  await sql`delete from client_words`.execute(desk.db)

  await rebuildSearch(desk.services)

  assert.equal(before.length, 4)
  assert.deepEqual(await words(desk), before)
})

async function words(desk: Desk): Promise<unknown[]> {
  const { rows } = await sql`
    select words::text, label from client_words union all select words::text, label from ticket_words
    union all select words::text, '' from ticket_messages union all select words::text, '' from ticket_notes
    order by 1`.execute(desk.db)
  return rows
}
