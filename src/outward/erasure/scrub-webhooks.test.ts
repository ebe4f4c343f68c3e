import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { aWebhookReceiver } from '../../../test/support/webhook-receivers.ts'
import { aWebhook, deliverWebhooks, localReceivers } from '../../../test/support/webhooks.ts'

const desk = await bootDesk({ config: localReceivers, connections: 3 })
const admin = await anAdmin(desk)

for (const mode of ['anonymize', 'cascade']) {
  test(`what receivers repeated of a client is forgotten (${mode}), and nothing of what they wrote is sent any more`, async () => {
    const receiver = await aWebhookReceiver()
    const kinds = ['ticket.created', 'ticket.replied']
    const webhook = await aWebhook(desk, admin, { url: receiver.url, kinds, include_text: 1 })
    const zebedee = await aClient(desk, { first_name: 'Zebedee', last_name: 'Quixwood' })
    const other = await aClient(desk)
    receiver.answer = (response, { body }) => response.writeHead(200).end(body)
    await aTicket(desk, zebedee, { message: 'My canary is ill.' })
    await aTicket(desk, other, { message: 'My parrot is well.' })
    await deliverWebhooks(desk)
    receiver.answer = response => response.writeHead(500).end('no')
    const { ticket_id } = await aTicket(desk, zebedee, { message: 'My canary is worse.' })
    await deliverWebhooks(desk)

    // One attempt is in progress while the client is erased.
    receiver.answer = (response, { body, event }) => {
      if (event.data.ticket_id !== ticket_id) return void response.writeHead(200).end(body)
      const erased = desk.post('/api/admin/clients/delete', admin, {
        id: zebedee.id,
        mode,
        confirm_email: zebedee.email
      })
      void erased.then(({ status }) => response.writeHead(status === 200 ? 503 : 500).end(body))
    }
    desk.clock.turn(60)
    await deliverWebhooks(desk)
    receiver.answer = (response, { body }) => response.writeHead(200).end(body)
    desk.clock.turn(3600)
    await deliverWebhooks(desk)

    const answers = await desk.db
      .selectFrom('webhook_attempts')
      .innerJoin('webhook_deliveries', 'webhook_deliveries.id', 'delivery_id')
      .where('webhook_id', '=', webhook.id)
      .select(['answer', 'status'])
      .execute()
    const kept = JSON.stringify(answers)
    assert.ok(answers.some(({ status }) => status === 503))
    assert.match(kept, /parrot/)
    assert.doesNotMatch(kept, /canary|Zebedee|Quixwood/)
    const last = receiver.requests.findLast(({ event }) => event.data.ticket_id === ticket_id)!
    // Texts stay with the ticket; the name is removed in any case.
    if (mode === 'cascade') assert.equal(last.event.data.text, undefined)
    assert.doesNotMatch(last.body, /Zebedee|Quixwood/)
    await desk.post('/api/admin/webhooks/delete', admin, { id: webhook.id })
  })
}
