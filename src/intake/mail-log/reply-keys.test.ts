import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { exportArchive } from '../../../test/support/export-archive.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'

const desk = await bootDesk({ config: { NOTIFICATION_DELAY_SECONDS: 0, MAIL_FROM: 'Desk <support@desk.example>' } })
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
const support = 'support@desk.example'
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { [support]: 1 } })

test('nobody is shown the signed key of a reply address: not in the log, in held e-mails, in the thread, in an export', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  await receive(aMail({ From: client.email, To: support, Subject: 'Water' }), { recipient: support })
  await desk.deliver()
  const { replyTo = '' } = desk.outbox.emails.at(-1)!
  assert.match(replyTo, /^support\+t\d+-[0-9a-f]{20}@desk\.example$/)
  const given = (from: string | null) =>
    receive(aMail({ From: from, To: replyTo, Cc: replyTo.toUpperCase(), Subject: 'Re: Water' }), { recipient: replyTo })
  const { ticket_id: id } = await given(client.email)
  await given(null)
  const post = async (path: string, body: object) => (await desk.post(path, admin, body)).data
  const { mails } = await post('/api/admin/mail/log/list', { direction: 'in' })
  const { mails: held } = await post('/api/admin/mail/held/list', {})

  const shown = [
    await Promise.all(mails.map((mail: { id: number }) => post('/api/admin/mail/log/detail', { id: mail.id }))),
    held,
    await post('/api/admin/mail/held/detail', { id: held[0].id }),
    await post('/api/admin/tickets/detail', { id }),
    (await exportArchive(desk, (await post('/api/admin/clients/export', { id: client.id })).url)).data
  ]

  assert.equal(held.length, 1)
  for (const each of shown) {
    const text = JSON.stringify(each)
    assert.doesNotMatch(text, /\+t\d+-[0-9a-f]{20}/i)
    assert.match(text, /support@desk\.example/i)
  }
})
