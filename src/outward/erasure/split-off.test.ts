import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aThread } from '../../../test/support/threads.ts'

const desk = await bootDesk({ connections: 4 })
const admin = await anAdmin(desk)
const zebedee = { first_name: 'Zebedee', last_name: 'Quixwood', is_email_verified: true }

for (const mode of ['cascade', 'anonymize']) {
  test(`${mode}: what a client wrote and was split off for others stays with them, without the client's name and address`, async () => {
    const [client, bob, carol] = [await aClient(desk, zebedee), await aClient(desk), await aClient(desk)]
    const { id, messages } = await aThread(
      desk,
      client,
      admin,
      ['client', 'One.'],
      ['client', 'Two.'],
      ['client', 'Three.']
    )
    await desk.db
      .updateTable('ticket_messages')
      .set({ client_email: client.email })
      .where('ticket_id', '=', id)
      .execute()
    const split = async (from: number, message_ids: number[], client_id: number) =>
      (await desk.post('/api/admin/tickets/split', admin, { id: from, message_ids, subject: 'Other', client_id })).data
        .ticket_id as number
    const bobs = await split(id, messages.slice(1), bob.id)
    const carols = await split(bobs, [messages[2]!], carol.id)

    const body = { id: client.id, mode, confirm_email: client.email }
    const { status, data } = await desk.post('/api/admin/clients/delete', admin, body)

    assert.equal(status, 200)
    const stores = data.stores as { store: string; anonymized: number }[]
    assert.ok(stores.find(({ store }) => store === 'ticket_messages')!.anonymized >= 3)
    for (const [ticket, person, count] of [
      [bobs, bob, 2],
      [carols, carol, 1]
    ] as const) {
      const seen = await desk.post('/api/tickets/detail', person, { id: ticket })
      assert.equal(seen.data.messages.length, count)
      assert.ok(!JSON.stringify(seen.body).includes('Zebedee'))
    }
    const kept = await desk.db.selectFrom('ticket_splits').select('client_emails').execute()
    assert.ok(!JSON.stringify(kept).includes(client.email))
  })
}
