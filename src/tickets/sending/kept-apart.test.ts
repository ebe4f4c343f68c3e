import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { exportArchive } from '../../../test/support/export-archive.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { waitingReplies } from '../../../test/support/waiting-replies.ts'
import { aWebhookReceiver } from '../../../test/support/webhook-receivers.ts'
import { aWebhook, deliverWebhooks, localReceivers } from '../../../test/support/webhooks.ts'

const canary = 'KUMQUAT'
const told = new RegExp(canary, 'i')
const desk = await bootDesk({ connections: 4, config: localReceivers })
const ada = await aClient(desk, { is_email_verified: true })
const admin = await anAdmin(desk)
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
const mary = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
const { send, undo, due } = await waitingReplies(desk, { ada, grace, admin })
const receiver = await aWebhookReceiver()
await aWebhook(desk, admin, { url: receiver.url, include_text: 1, include_notes: 1 })

/** A ticket in which Grace has a draft and a reply that waits, and nobody else has written. */
async function aTicketWithBoth() {
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada)
  const waits = await send({ id, message: `${canary} waits`, undo: 1, cc: [`${canary}@example.com`] })
  assert.equal(waits.status, 201, waits.body.message)
  const draft = await desk.post('/api/admin/tickets/draft/save', grace, {
    id,
    message: `${canary} draft`,
    bcc: [`${canary}.b@example.com`]
  })
  assert.equal(draft.status, 200, draft.body.message)
  return { id, ticket_number, message_id: waits.data.message_id as number }
}

/** All that others read of it: client, colleague, feed, webhook, export, e-mails. */
async function whatOthersRead({ id, ticket_number }: { id: number; ticket_number: string }) {
  await desk.deliver()
  await deliverWebhooks(desk)
  const { url } = (await desk.post('/api/admin/clients/export', admin, { id: ada.id })).data
  const answers = [
    await desk.post('/api/tickets/detail', ada, { id }),
    await desk.post('/api/tickets/list', ada, {}),
    await desk.post('/api/tickets/search', ada, { query: canary }),
    await desk.post('/api/admin/tickets/detail', mary, { id }),
    await desk.post('/api/admin/tickets/list', mary, { search: ticket_number }),
    await desk.post('/api/admin/search', mary, { query: canary }),
    await desk.post('/api/admin/tickets/draft', mary, { id }),
    await desk.post('/api/admin/tickets/reply/waiting', mary, {}),
    await desk.post('/api/admin/events/list', admin, {}),
    await desk.post('/api/admin/audit/list', admin, {})
  ]
  return {
    answers: JSON.stringify(answers.map(({ body }) => body)).replaceAll(`"query":"${canary}"`, ''),
    archive: (await exportArchive(desk, url)).tar,
    webhooks: receiver.requests.map(({ body }) => body).join('\n'),
    emails: JSON.stringify(desk.outbox.emails)
  }
}

test('neither a draft nor a reply that waits shows in webhooks, the feed, exports, e-mails, searches, or to clients and colleagues', async () => {
  const ticket = await aTicketWithBoth()

  const before = await whatOthersRead(ticket)
  for (const [where, text] of Object.entries(before)) assert.doesNotMatch(text, told, where)
  assert.ok(before.webhooks.includes('ticket.created'))

  // Taken back it stays unheard of.
  assert.equal((await undo({ id: ticket.id, message_id: ticket.message_id })).status, 200)
  for (const [where, text] of Object.entries(await whatOthersRead(ticket))) assert.doesNotMatch(text, told, where)
})

test('once its time is over the reply is heard of everywhere, and the draft begun since is not', async () => {
  const ticket = await aTicketWithBoth()

  await due()
  const after = await whatOthersRead(ticket)

  for (const [where, text] of Object.entries(after)) assert.match(text, /KUMQUAT waits/i, where)
  for (const [where, text] of Object.entries(after)) assert.doesNotMatch(text, /KUMQUAT draft|KUMQUAT\.b@/i, where)
})

test('who is erased leaves neither drafts nor replies that wait in the database', async () => {
  await aTicketWithBoth()

  const erased = await desk.post('/api/admin/clients/delete', admin, {
    id: ada.id,
    mode: 'anonymize',
    confirm_email: ada.email
  })

  assert.equal(erased.status, 200, erased.body.message)
  for (const table of ['ticket_drafts', 'waiting_replies'] as const)
    assert.equal((await desk.db.selectFrom(table).selectAll().execute()).length, 0, table)
})
