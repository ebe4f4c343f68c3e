import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { catchUp } from '../../tickets/search/index-words.ts'
import { checkSearchIndex } from './doctor-search.ts'

const desk = await bootDesk()

test('doctor counts the texts that have no words yet, and warns once the oldest of them has waited for a minute', async () => {
  const nothing = await checkSearchIndex(desk.db)
  await aTicket(desk, await aClient(desk))
  const fresh = await checkSearchIndex(desk.db)
  await desk.db
    .updateTable('ticket_messages')
    .set({ created_at: new Date(Date.now() - 90_000) })
    .execute()
  const late = await checkSearchIndex(desk.db)
  await catchUp(desk.db)
  const read = await checkSearchIndex(desk.db)

  const sound = { verdict: 'ok', about: 'words', text: '0 texts wait to be found by the search' }
  assert.deepEqual(nothing, sound)
  assert.deepEqual(fresh, { ...sound, text: '2 texts wait to be found by the search' })
  assert.equal(late.verdict, 'warn')
  assert.match(late.text, /^2 texts wait to be found by the search, the oldest for \d+ s: no worker runs$/)
  assert.deepEqual(read, sound)
})
