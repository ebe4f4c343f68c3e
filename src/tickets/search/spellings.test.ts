import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { otherSpelling } from './terms.ts'

test('umlauts are found in either spelling, in messages, alone, in phrases and at the beginning of a word', async () => {
  const desk = await bootDesk()
  const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
  const one = await aTicket(desk, ada, {
    subject: 'One',
    message: 'Die Bestellung von Müller, wie besprochen: größer.'
  })
  const two = await aTicket(desk, ada, { subject: 'Two', message: 'Die Bestellung von Mueller, wie besprochen.' })
  const found = async (query: string) => {
    const { status, data } = await desk.post('/api/admin/search', admin, { query })
    assert.equal(status, 200)
    const ids: number[] = data.results.map((result: { ticket: { id: number } }) => result.ticket.id)
    return [...new Set(ids)].sort((a, b) => a - b)
  }
  const both = [one.ticket_id, two.ticket_id]

  for (const query of ['mueller', 'Müller', 'MUELL', 'müll', '"von Mueller"', '"von Müller"', 'bestellung mueller']) {
    assert.deepEqual(await found(query), both, query)
  }
  assert.deepEqual(await found('groesser'), [one.ticket_id])
  assert.deepEqual(await found('bestellung -mueller'), [])
  assert.deepEqual(await found('"bei Mueller"'), [])
})

test('words in which two letters are no umlaut have one spelling', () => {
  const spellings = ['Müller', 'Mueller', 'Größe', 'neues', 'queues', 'does', 'treue', 'printer', 'Zoë']

  assert.deepEqual(spellings.map(otherSpelling), ['mueller', 'muller', 'groeße', ...Array(6).fill(undefined)])
})
