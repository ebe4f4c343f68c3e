import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageAmong } from '../src/core/wording/languages.ts'
import { bootDesk } from './support/desk.ts'
import { aMail, receiverOf } from './support/mails.ts'
import { aClient, anAdmin, aSupporter } from './support/people.ts'
import { poster } from './support/requests.ts'

const desk = await bootDesk({ connections: 6, config: { NOTIFICATION_DELAY_SECONDS: 0 } })
const admin = await anAdmin(desk)
const german = poster(desk.url, { 'accept-language': 'fr;q=0.9, de-AT, en;q=0.5' })
let serial = 0

async function subjectsTo(email: string): Promise<string[]> {
  desk.outbox.emails.length = 0
  return (await desk.deliver()).emails.filter(({ to }) => to === email).map(({ subject }) => subject)
}

async function subjectAfterForgetting(email: string) {
  await desk.post('/api/auth/forgot-password', undefined, { email })
  return await subjectsTo(email)
}

async function languageOf(email: string) {
  return await desk.db.selectFrom('clients').where('email', '=', email).select('language').executeTakeFirst()
}

test('of the languages that a browser or a mail names, the one of ours that is liked best', () => {
  for (const [header, language] of [
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['en;q=0.5, de;q=0.7', 'de'],
    ['fr, en;q=0.1', 'en'],
    ['DE', 'de'],
    ['de;q=0, en', 'en'],
    ['*', null],
    ['fr', null],
    ['deutsch', null],
    ['', null],
    [undefined, null],
    [`${'x,'.repeat(10_000)}de`, null]
  ] as const)
    assert.equal(languageAmong(header), language, header)
})

test('clients are written to in the language that they choose, and else in that of the desk', async () => {
  const client = await aClient(desk)
  const before = await desk.post('/api/account/profile', client, {})
  const english = await subjectAfterForgetting(client.email)
  const chosen = await desk.post('/api/account/profile/update', client, { language: 'de' })
  const theirs = await subjectAfterForgetting(client.email)
  const unknown = await desk.post('/api/account/profile/update', client, { language: 'fr' })
  const other = await aClient(desk)
  await desk.post('/api/admin/settings/update', admin, { language: 'de' })
  const ofDesk = await subjectAfterForgetting(other.email)
  await desk.post('/api/account/profile/update', client, { language: 'en' })
  const again = await subjectAfterForgetting(client.email)
  const backToDesk = await desk.post('/api/account/profile/update', client, { language: null })
  await desk.post('/api/admin/settings/update', admin, { language: 'en' })

  assert.equal(before.status, 200, JSON.stringify(before.body))
  assert.deepEqual([before.data.profile.language, chosen.data.profile.language], [null, 'de'])
  assert.deepEqual([unknown.status, backToDesk.data.profile.language], [400, null])
  assert.deepEqual(
    [english, theirs, ofDesk, again].map(subjects => subjects[0]),
    ['Choose a new password', 'Neues Passwort wählen', 'Neues Passwort wählen', 'Choose a new password']
  )
})

test('staff choose theirs in their own profile, and that of clients where they may change them', async () => {
  const supporter = await aSupporter(desk, 'clients.edit')
  const client = await aClient(desk)

  const own = await desk.post('/api/account/profile/update', supporter, { language: 'de' })
  const changed = await desk.post('/api/admin/clients/update', supporter, { id: client.id, language: 'de' })
  const invited = await desk.post('/api/admin/clients/create', admin, {
    first_name: 'Eva',
    last_name: 'Maier',
    email: 'eva@example.com',
    language: 'de'
  })
  const refused = await desk.post('/api/admin/clients/update', supporter, { id: client.id, language: 'xx' })
  await desk.post('/api/admin/auth/forgot-password', undefined, { email: supporter.email })

  assert.deepEqual([own.data.profile.language, changed.data.client.language, refused.status], ['de', 'de', 400])
  assert.equal(invited.data.client.language, 'de')
  assert.deepEqual(
    (await desk.deliver()).emails.find(({ to }) => to === 'eva@example.com')?.subject,
    'Ihr Konto bei unserem Support'
  )
  assert.equal(desk.outbox.emails.findLast(({ to }) => to === supporter.email)?.subject, 'Neues Passwort wählen')
})

test('about a ticket each reader is told in their own language', async () => {
  const client = await aClient(desk)
  const supporter = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
  await desk.db
    .updateTable('clients')
    .set({ is_email_verified: true, language: 'de' })
    .where('id', '=', client.id)
    .execute()
  const { ticket_id: id } = (
    await desk.post('/api/tickets/create', client, { deptid: 1, subject: 'Feuer', message: 'Es brennt' })
  ).data
  await desk.post('/api/admin/tickets/assign', admin, { id, assigned_staff_id: supporter.id })
  await desk.post('/api/admin/tickets/reply', supporter, { id, message: 'Löschen Sie es.' })

  const { emails } = await desk.deliver()

  const toClient = emails.findLast(({ to }) => to === client.email)!
  assert.match(toClient.text, /Wir haben Ihre Nachricht erhalten\..*Löschen Sie es\./s)
  assert.match(toClient.html, /<html lang="de"/)
  assert.match(emails.findLast(({ to }) => to === supporter.email)!.text, /assigned the ticket/)
})

test('whoever signs up, writes on the open form or by e-mail keeps the language of the page or the mail', async () => {
  await desk.post('/api/admin/settings/update', admin, { tickets_without_account: 1 })
  const person = { first_name: 'Ute', last_name: 'Wolf', password: 'correct horse battery' }
  const [signedUp, onForm, byChoice, byMail, unclear] = Array.from({ length: 5 }, () => `new${++serial}@example.com`)
  const form = { name: 'Ute Wolf', deptid: 1, subject: 'Hilfe', message: 'Bitte' }
  await german('/api/auth/signup', undefined, { ...person, email: signedUp })
  await german('/api/tickets/open', undefined, { ...form, email: onForm })
  await german('/api/tickets/open', undefined, { ...form, email: byChoice, language: 'en' })
  const receive = receiverOf(desk)
  await receive(aMail({ From: byMail!, To: 'support@desk.example', Subject: 'Hilfe', 'Content-Language': 'de-DE' }))
  await receive(aMail({ From: unclear!, To: 'support@desk.example', Subject: 'Aide', 'Content-Language': 'fr-FR' }))

  const found = await Promise.all([signedUp, onForm, byChoice, byMail, unclear].map(email => languageOf(email!)))

  assert.deepEqual(
    found.map(client => client?.language),
    ['de', 'de', 'en', 'de', null]
  )
  const { emails } = await desk.deliver()
  assert.ok(emails.some(({ to, subject }) => to === byMail && subject === 'Ihr Konto bei unserem Support'))
  assert.ok(emails.some(({ to, subject }) => to === unclear && subject === 'Your support account'))
})

test('a code for a phone comes in the language of the client', async () => {
  const client = await aClient(desk)
  await desk.post('/api/account/profile/update', client, { language: 'de' })

  await desk.post('/api/auth/send-phone-verification', client, { phone_number: '+31205550100' })

  await desk.deliver()
  assert.match(desk.outbox.messages.at(-1)!.text, /^Ihr Support-Code ist \d+\. Er gilt 15 Minuten lang/)
})
