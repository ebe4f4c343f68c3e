import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, type Person } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'

const desk = await bootDesk()
const path = '/api/letters/stop'

/** The address that the last letter to this client names, and how it is to be called. */
async function stopHeaders(client: Person): Promise<{ url: URL; how: string | undefined }> {
  await aTicket(desk, client)
  desk.clock.turn(60)
  const { letters } = await desk.deliver()
  const { headers } = letters.findLast(({ to }) => to === client.email)!
  return { url: new URL(headers!['List-Unsubscribe']!.slice(1, -1)), how: headers!['List-Unsubscribe-Post'] }
}

test('one click in a mail program ends the letters about tickets, without an account, however often', async () => {
  const ada = await aClient(desk)
  const { url, how } = await stopHeaders(ada)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }

  for (let at = 0; at < 2; at++) {
    const { status } = await fetch(desk.url + url.pathname + url.search, { method: 'POST', headers, body: how! })
    assert.equal(status, 200)
  }

  const before = (await desk.deliver()).letters.length
  await aTicket(desk, ada)
  desk.clock.turn(60)
  assert.equal((await desk.deliver()).letters.length, before)
  const { data } = await desk.post('/api/account/notifications', ada)
  assert.deepEqual(data, { ticket_letters: 0 })
  const recorded = await desk.db.selectFrom('audit_log').select(['actor_id', 'action']).execute()
  assert.deepEqual(recorded, [{ actor_id: ada.id, action: 'letters.chosen' }])
})

test('a token ends nobody else’s letters, and none once the address has changed', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const token = (await stopHeaders(ada)).url.searchParams.get('token')!
  const before = await desk.rowCounts()

  const foreign = await desk.post(path, undefined, { token: token.replace(`${ada.id}.`, `${eve.id}.`) })
  const invented = await desk.post(path, undefined, { token: `${ada.id}.${'A'.repeat(43)}` })
  await desk.db.updateTable('clients').set({ email: 'new@example.com' }).where('id', '=', ada.id).execute()
  const former = await desk.post(path, undefined, { token })

  assert.deepEqual([foreign.status, invented.status, former.status], [400, 400, 400])
  assert.deepEqual(await desk.rowCounts(), before)
  assert.deepEqual((await desk.post('/api/account/notifications', ada)).data, { ticket_letters: 1 })
})
