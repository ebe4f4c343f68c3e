import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'

const desk = await bootDesk()
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]

/** From then on, the call of this number takes longer than a search may. */
async function slowAtCall(call: number): Promise<void> {
  await sql`create sequence folds`.execute(desk.db)
  await sql`alter function search_fold(text) rename to search_fold_fast`.execute(desk.db)
  await sql`create function search_fold(content text) returns text language plpgsql stable strict as $$
    begin
      if nextval('folds') = ${sql.lit(call)} then perform pg_sleep(60); end if;
      return search_fold_fast(content);
    end $$`.execute(desk.db)
}

test('a search that takes too long is cut off and finds what is new', async () => {
  const old = await aTicket(desk, ada, { subject: 'Bandoneon', message: '-' })
  await sql`insert into tickets (id, client_id, department_id, subject) overriding system value
    values (50000, ${ada.id}, 1, 'Bandoneon too')`.execute(desk.db)
  const found = async () => {
    const { status, data } = await desk.post('/api/admin/search', admin, { query: 'bandoneon' })
    assert.equal(status, 200)
    return data.results.map(({ id }: { id: number }) => id).toSorted()
  }
  const all = await found()
  // The first call is for the words of the query, the second one for parts of labels.
  await slowAtCall(2)

  const newest = await found()

  assert.deepEqual(all, [old.ticket_id, 50_000])
  assert.deepEqual(newest, [50_000])
  assert.deepEqual(await found(), all)
})
