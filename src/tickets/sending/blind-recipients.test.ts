import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { exportArchive } from '../../../test/support/export-archive.ts'
import { mailServer, saying } from '../../../test/support/mail-server.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { listen } from '../../../test/support/streams.ts'
import { aWebhookReceiver } from '../../../test/support/webhook-receivers.ts'
import { aWebhook, deliverWebhooks, localReceivers } from '../../../test/support/webhooks.ts'
import { smtpMail } from '../../platform/mail/smtp.ts'
import { smtpAddress } from '../../platform/mail/smtp-address.ts'

const support = 'support@desk.example'
const server = await mailServer({
  onRcptTo({ address }, _session, answer) {
    if (address.startsWith('absent')) answer(saying(550, `5.1.1 No such user ${address}`))
    else answer()
  }
})
const desk = await bootDesk({
  connections: 6,
  config: { ...localReceivers, NOTIFICATION_DELAY_SECONDS: 0, MAIL_FROM: `Desk <${support}>` },
  services: { mail: smtpMail({ address: smtpAddress(`smtp://127.0.0.1:${server.port}`) }) }
})
const receive = receiverOf(desk)
const [ada, admin] = [await aClient(desk, { is_email_verified: true }), await anAdmin(desk)]
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
/** She sees the tickets that are assigned to her. */
const elsewhere = await aSupporter(desk, 'tickets.reply')
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { [support]: 1 } })
const receiver = await aWebhookReceiver()
await aWebhook(desk, admin, { url: receiver.url, include_text: 1, include_notes: 1 })

test('3: who gets a blind copy is seen neither in streams, feeds, webhooks, exports, the e-mails of others nor by staff without the ticket, also if it comes back', async t => {
  const streams = [
    await listen(desk.url, { token: ada.token, path: '/api/events/stream', body: { after: '0' } }),
    await listen(desk.url, { token: elsewhere.token, body: { after: '0' } }),
    await listen(desk.url, { token: grace.token, body: { after: '0' } })
  ]
  t.after(() => streams.map(stream => stream.close()))
  const { ticket_id: id } = await receive(aMail({ From: ada.email, To: support, Subject: 'Water' }))
  await desk.post('/api/admin/tickets/followers/add', admin, { id, email: 'anton@example.com', name: 'Anton' })

  const body = {
    id,
    message: 'Try water.',
    cc: ['anton@example.com'],
    bcc: ['quince@blind.example', 'absent.quince@blind.example']
  }
  assert.equal((await desk.post('/api/admin/tickets/reply', grace, body)).status, 201)
  await desk.deliver()
  await deliverWebhooks(desk)
  await desk.post('/api/tickets/reply', ada, { id, message: 'The last word.' })
  await desk.deliver()
  await deliverWebhooks(desk)
  for (const stream of [streams[0]!, streams[2]!])
    await stream.first(({ data }) => JSON.stringify(data ?? '').includes('ticket.replied') && stream.told.length > 2)

  const { url } = (await desk.post('/api/admin/clients/export', admin, { id: ada.id })).data
  const seen = {
    detail: (await desk.post('/api/tickets/detail', ada, { id })).body,
    list: (await desk.post('/api/tickets/list', ada, {})).body,
    found: (await desk.post('/api/tickets/search', ada, { query: 'quince' })).data,
    followers: (await desk.post('/api/tickets/followers/list', ada, { id })).body,
    events: (await desk.post('/api/admin/events/list', admin, {})).body,
    audit: (await desk.post('/api/admin/audit/list', admin, {})).body,
    archive: (await exportArchive(desk, url)).tar,
    webhooks: receiver.requests.map(({ body }) => body),
    streams: streams.map(({ told }) => told),
    emails: server.emails
      .filter(({ to }) => !to.some(address => address.includes('quince')))
      .map(({ from, to, raw }) => `${from} ${to} ${raw.toString()}`),
    others: [
      (await desk.post('/api/admin/tickets/detail', elsewhere, { id })).body,
      (await desk.post('/api/admin/tickets/mails', elsewhere, { id })).body,
      (await desk.post('/api/admin/mail/log/list', elsewhere, {})).body,
      (await desk.post('/api/admin/search', elsewhere, { query: 'quince' })).data,
      (await desk.post('/api/admin/tickets/list', elsewhere, {})).body
    ]
  }

  assert.ok(server.emails.some(({ to }) => to.includes('quince@blind.example')))
  assert.ok(seen.emails.length >= 2 && seen.webhooks.length > 0)
  assert.match(JSON.stringify((await desk.post('/api/admin/tickets/detail', grace, { id })).body), /absent\.quince/)
  for (const [where, text] of Object.entries(seen)) assert.doesNotMatch(JSON.stringify(text), /quince/, where)
})
