import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'

const { db } = await testDatabase()

test('the text by which a client is found follows all that it is made of', async () => {
  const { id } = await db
    .insertInto('clients')
    .values({ first_name: 'Ada', last_name: 'Lovelace', email: 'Ada@Example.test', password: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const change = (to: object) =>
    db
      .updateTable('clients')
      .set(to)
      .where('id', '=', id)
      .returning(['search_text', 'ticket_count'])
      .executeTakeFirstOrThrow()

  const texts: string[] = []
  for (const to of [
    { first_name: 'ÉVA' },
    { last_name: 'King' },
    { email: 'Eva@Example.test' },
    { company_name: 'ACME' }
  ]) {
    texts.push((await change(to)).search_text)
  }
  const counted = await change({ phone_number: '+1 555', ticket_count: 7 })

  assert.deepEqual(texts, [
    'éva lovelace\nada@example.test\n\n',
    'éva king\nada@example.test\n\n',
    'éva king\neva@example.test\n\n',
    'éva king\neva@example.test\nacme\n'
  ])
  assert.deepEqual(counted, { search_text: 'éva king\neva@example.test\nacme\n+1 555', ticket_count: 7 })
})
