import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'

const desk = await bootDesk()

test('pages of any length and place are a handful of prepared statements, and hold what they should', async () => {
  const [admin, client] = [await anAdmin(desk), await aClient(desk)]
  for (let ticket = 1; ticket <= 12; ticket++) await aTicket(desk, client)
  const all = await idsOf({ limit: 100 })

  for (let limit = 1; limit <= 12; limit++) {
    for (let page = 1; page <= 12; page++) {
      assert.deepEqual(await idsOf({ page, limit }), all.slice((page - 1) * limit, page * limit))
    }
  }
  for (const page of [10, 100, 10_000, 1_000_000_000, 9_007_199_254_740_991]) {
    assert.deepEqual(await idsOf({ page, limit: 100 }), [])
  }

  assert.equal(all.length, 12)
  const { rows } = await sql`select from pg_prepared_statements where statement like '%sort_text%'`.execute(desk.db)
  assert.ok(rows.length <= 12, `${rows.length} statements`)

  async function idsOf(body: object): Promise<number[]> {
    const answer = await desk.post('/api/admin/tickets/list', admin, body)
    assert.equal(answer.status, 200, answer.body.message)
    return answer.data.tickets.map(({ id }: { id: number }) => id)
  }
})
