import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'

const desk = await bootDesk()
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]

async function found(query: string): Promise<number[]> {
  const { status, data } = await desk.post('/api/admin/search', admin, { query })
  assert.equal(status, 200)
  const ids: number[] = data.results.map((result: { ticket: { id: number } }) => result.ticket.id)
  return [...new Set(ids)].sort((a, b) => a - b)
}

test('umlauts are found in either spelling, in messages, alone, in phrases and at the beginning of a word', async () => {
  const one = await aTicket(desk, ada, {
    subject: 'One',
    message: 'Die Bestellung von Müller, wie besprochen: größer.'
  })
  const two = await aTicket(desk, ada, { subject: 'Two', message: 'Die Bestellung von Mueller, wie besprochen.' })
  const both = [one.ticket_id, two.ticket_id]

  for (const query of ['mueller', 'Müller', 'MUELL', 'müll', '"von Mueller"', '"von Müller"', 'bestellung mueller']) {
    assert.deepEqual(await found(query), both, query)
  }
  assert.deepEqual(await found('groesser'), [one.ticket_id])
  assert.deepEqual(await found('bestellung -mueller'), [])
  assert.deepEqual(await found('"bei Mueller"'), [])
})

test('a word with several umlauts is found however each of them is spelt, whole, inflected or begun, in subjects as well', async () => {
  const texts = ['Überweisungsträger', 'Ueberweisungstraeger', 'Überweisungstraeger', 'Ueberweisungsträger']
  const tickets: number[] = []
  for (const text of texts) {
    const { ticket_id } = await aTicket(desk, ada, { subject: `Ein ${text}`, message: `Welcher ${text} fehlt?` })
    tickets.push(ticket_id)
  }

  for (const query of [
    ...texts,
    'ueberweisungsträ',
    'Überweisungstr',
    '"welcher ueberweisungsträger fehlt"',
    'weisungstraeg'
  ]) {
    assert.deepEqual(await found(query), tickets, query)
  }
})

test('words in which two letters are no umlaut are found as they are written and begun', async () => {
  const { ticket_id } = await aTicket(desk, ada, {
    subject: 'x',
    message: 'Two new issues: the queues of Michael, neue Bauten.'
  })

  for (const query of ['issue', 'issues', 'queue', 'queu', 'que', 'michae', 'michael', 'neu', 'neue']) {
    assert.deepEqual(await found(query), [ticket_id], query)
  }
})
