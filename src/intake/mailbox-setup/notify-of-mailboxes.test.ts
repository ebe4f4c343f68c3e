import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { mailServer } from '../../../test/support/mail-server.ts'
import { aMailbox, localMailServers, serverAt } from '../../../test/support/mailboxes.ts'
import { anAdmin, aSupporter } from '../../../test/support/people.ts'
import { routedMail } from '../../mail/mailboxes/routed-mail.ts'
import { notifyOfMailboxes } from './notify-of-mailboxes.ts'

const plain = { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }
const desk = await bootDesk({ connections: 8, config: { IMAP_URL: [], ...localMailServers } })
const admin = await anAdmin(desk)
await aSupporter(desk, 'tickets.view_all')
const working = await mailServer(plain)
// There is no server of the operator: what is told leaves through another mailbox than the broken one.
const mail = routedMail(desk.services, { mail: desk.services.mail, isServer: false })
Object.assign(desk.services, { mail })
after(() => mail.close())
const base = '/api/admin/mail/mailboxes'

test('3: what is wrong is told in the language of whoever reads it', async () => {
  await desk.post('/api/account/profile/update', admin, { language: 'de' })
  const box = await aMailbox(desk, admin, {
    address: 'box@german.example',
    smtp: serverAt(working.port),
    is_default: 0
  })
  const row = desk.db.updateTable('connected_mailboxes').where('id', '=', box.id)
  const at = new Date(Date.now() - 301_000)
  await aMailbox(desk, admin, { address: 'way@german.example', smtp: serverAt(working.port), is_default: 1 })
  await row.set({ smtp_failing_since: at, smtp_error: 'Invalid login: 535 5.7.8 Authentication failed' }).execute()

  await notifyOfMailboxes(desk.services)
  await desk.deliver()
  const [mail] = told()
  await desk.db.deleteFrom('connected_mailboxes').execute()
  await desk.post('/api/account/profile/update', admin, { language: 'en' })

  assert.equal(mail!.subject, 'Das Postfach box@german.example geht nicht')
  const words = mail!.text.replace(/\s+/g, ' ')
  assert.match(
    words,
    /geht seit fünf Minuten nicht: 127\.0\.0\.1 lehnt die Anmeldung von desk für den Versand ab \(„Invalid login: 535 5\.7\.8 Authentication failed“\)/
  )
  assert.doesNotMatch(words, /refuses|cannot|does not/)
})

const told = () =>
  working.emails.splice(0).map(({ to, email }) => ({ to: to[0], subject: email.subject, text: email.text! }))
const message = (from: string) => ({
  messageId: `<${Math.random()}@test>`,
  from: { name: 'X', address: from },
  to: 'reader@people.example',
  subject: 'S',
  text: 'T',
  html: 'T',
  date: new Date()
})

test('admins are told once that a mailbox is broken, through another one, and once that it works again', async () => {
  const broken = await aMailbox(desk, admin, { address: 'broken@box.example', smtp: serverAt(1), is_default: 1 })
  await aMailbox(desk, admin, { address: 'other@box.example', smtp: serverAt(working.port) })
  await assert.rejects(mail.send(message('broken@box.example')), /cannot send/)

  // It has only just begun.
  assert.equal(await notifyOfMailboxes(desk.services), 0)
  const fiveMinutesAgo = new Date(Date.now() - 301_000)
  const row = desk.db.updateTable('connected_mailboxes').where('id', '=', broken.id)
  await row.set({ smtp_failing_since: fiveMinutesAgo }).execute()
  const both = await Promise.all([notifyOfMailboxes(desk.services), notifyOfMailboxes(desk.services)])
  await desk.deliver()
  const first = told()
  await notifyOfMailboxes(desk.services)
  await desk.deliver()

  assert.equal(both[0] + both[1], 1)
  assert.deepEqual(
    first.map(({ to, subject }) => [to, subject]),
    [[admin.email, 'The mailbox broken@box.example does not work']]
  )
  assert.match(first[0]!.text, /ECONNREFUSED[\s\S]*\/desk\/settings\/email\/\d+/)
  assert.deepEqual(told(), [])

  // Its server is back.
  const server = JSON.stringify({ ...broken.smtp, port: working.port, certificate: null })
  await row.set({ smtp: server, smtp_failing_since: null, smtp_error: null, smtp_retry_at: null }).execute()
  await mail.send(message('broken@box.example'))
  working.emails.length = 0
  await notifyOfMailboxes(desk.services)
  await notifyOfMailboxes(desk.services)
  await desk.deliver()
  const over = told()
  assert.deepEqual(
    over.map(({ subject }) => subject),
    ['The mailbox broken@box.example works again']
  )

  // The next outage is told anew.
  await row.set({ smtp_failing_since: fiveMinutesAgo, smtp_error: 'It is off' }).execute()
  assert.equal(await notifyOfMailboxes(desk.services), 1)
  const { mailbox } = (await desk.post(`${base}/detail`, admin, { id: broken.id })).data
  assert.equal(mailbox.state, 'failing')
})
