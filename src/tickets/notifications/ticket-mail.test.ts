import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { deskWithMailServer } from '../../../test/support/desk-with-mail-server.ts'
import { aMail } from '../../../test/support/mails.ts'
import { aClient } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'

const { desk, receive, admin, mailsTo, reply } = await deskWithMailServer()

test('an answer to a mail is from the address to which that came, and threads behind the mails of its sender', async () => {
  const From = 'Ada Lovelace <ada@example.org>'
  const first = {
    From,
    To: 'Billing <billing@desk.example>',
    Subject: 'Re: RE: Rechnung für 😀',
    'Message-ID': '<one@example.org>'
  }
  const { ticket_id: id, ticket_number: number } = await receive(aMail(first, 'What does it cost?\n'))
  const arrival = (await mailsTo('ada@example.org')).find(({ email }) => email.subject?.includes(number!))!
  await reply(id, 'Ten guilders — für Sie.\n\nAnything else?')
  const [answer] = await mailsTo('ada@example.org')
  const second = {
    From,
    To: answer!.email.replyTo![0]!.address!,
    Subject: answer!.email.subject!,
    'Message-ID': '<two@example.org>',
    'In-Reply-To': answer!.email.messageId!
  }
  const back = await receive(aMail(second, 'No, thanks.\n'))
  await reply(id, 'Then good bye.')
  const [last] = await mailsTo('ada@example.org')

  assert.deepEqual([arrival.email.inReplyTo, arrival.header('auto-submitted')], ['<one@example.org>', 'auto-generated'])
  assert.match(arrival.header('list-unsubscribe')!, /^<https:/)
  assert.equal(arrival.header('x-auto-response-suppress'), 'All')
  const { email, read } = answer!
  assert.equal(email.subject, `Re: [${number}] Rechnung für 😀`)
  assert.deepEqual(email.from, { name: 'Billing Department (Müller 🚀)', address: 'billing@desk.example' })
  assert.match(email.replyTo![0]!.address!, /^billing\+t\d+-[0-9a-f]{20}@desk\.example$/)
  assert.match(answer!.from, /^billing\+e\d+-[0-9a-f]{20}@desk\.example$/)
  assert.equal(email.inReplyTo, '<one@example.org>')
  assert.deepEqual(email.references!.split(' '), [arrival.email.messageId, '<one@example.org>'])
  for (const name of ['auto-submitted', 'x-auto-response-suppress', 'list-unsubscribe', 'precedence']) {
    assert.equal(answer!.header(name), undefined, name)
  }
  assert.match(email.text!, /^Ten guilders — für Sie\.\n\nAnything else\?\n\nGrace Hopper\n/m)
  assert.match(email.text!, /^On .* UTC, Ada Lovelace wrote:\n> What does it cost\?$/m)
  assert.match(email.html!, />Ten guilders — für Sie\./)
  assert.equal(read.automatic, undefined)
  assert.equal(read.from?.email, 'billing@desk.example')

  assert.deepEqual([back.outcome, back.ticket_id], ['reply', id])
  assert.equal(last!.email.inReplyTo, '<two@example.org>')
  assert.deepEqual(last!.email.references!.split(' '), [
    arrival.email.messageId,
    '<one@example.org>',
    answer!.email.messageId,
    '<two@example.org>'
  ])
  assert.match(last!.email.text!, /> No, thanks\.\n\nOn .*wrote:\n> Ten guilders/)
})

test('where no mail came in, the address of the department answers, by the name that it was given', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const { ticket_id: id } = await aTicket(desk, client, { department_id: 5 })
  await mailsTo(client.email)
  await desk.post('/api/admin/tickets/note', admin, { id, note: 'A canary.' })
  await reply(id, 'Yes.')
  const [answer] = await mailsTo(client.email)

  assert.deepEqual(answer!.email.from, { name: 'Vertrieb „Süd“', address: 'sales@desk.example' })
  assert.doesNotMatch(answer!.raw, /canary/)
  const refused = await desk.post('/api/admin/settings/update', admin, { mail_names: { nobody: 'x' } })
  const unfit = await desk.post('/api/admin/settings/update', admin, { mail_names: { 'a@b.example': 'x\ny' } })
  assert.deepEqual([refused.status, unfit.status], [400, 400])
})

test('of several addresses of a department the chosen one sends, else the first in the alphabet; without one, that of MAIL_FROM', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const before = (await desk.post('/api/admin/settings', admin)).data.settings.mail_addresses
  const set = async (settings: object) =>
    assert.equal((await desk.post('/api/admin/settings/update', admin, settings)).status, 200)
  const senderIn = async (department_id: number) => {
    const { ticket_id } = await aTicket(desk, client, { department_id })
    await mailsTo(client.email)
    await reply(ticket_id, 'Yes.')
    return (await mailsTo(client.email))[0]!.email.from!.address
  }

  await set({ mail_addresses: { ...before, 'a.very.long.one@desk.example': 5, 'zz@desk.example': 5 } })
  const first = await senderIn(5)
  await set({ mail_senders: ['zz@desk.example'] })
  const chosen = await senderIn(5)
  const other = await senderIn(6)
  const unfit = await desk.post('/api/admin/settings/update', admin, { mail_senders: ['nobody'] })
  await set({ mail_addresses: before, mail_senders: [] })

  assert.deepEqual([first, chosen, other], ['a.very.long.one@desk.example', 'zz@desk.example', 'support@desk.example'])
  assert.equal(unfit.status, 400)
})

test('a sender of whom it is sure is told their own subject at once, and others not before staff have written', async () => {
  const subjects: string[] = []
  for (const verdict of ['pass', 'none']) {
    const From = `${verdict}@sure.example`
    const { ticket_id: id } = await receive(aMail({ From, Subject: 'My own words' }))
    const authentication = sql<string>`${JSON.stringify({ verdict })}::jsonb`
    await desk.db.updateTable('inbound_mails').set({ authentication }).where('ticket_id', '=', id!).execute()
    subjects.push(
      ...(await mailsTo(From)).map(({ email }) => email.subject!).filter(subject => subject.includes('TIC-'))
    )
  }

  assert.deepEqual(
    subjects.map(subject => subject.replace(/\[.*\] /, '')),
    ['My own words', 'Your support ticket']
  )
})

test('no line is longer than mail may have, whatever was written, and each part says its charset', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const { ticket_id: id } = await aTicket(desk, client, {
    subject: 'ü'.repeat(200),
    message: `${'ж'.repeat(3000)} ${'x'.repeat(1500)}`
  })
  await mailsTo(client.email)
  const words = `${'x'.repeat(2500)}\n.\nFrom here\n${'שלום '.repeat(300)}\n${'😀'.repeat(500)}`
  await reply(id, words)
  const [answer] = await mailsTo(client.email)

  const longest = Math.max(...answer!.raw.split('\r\n').map(line => line.length))
  assert.ok(longest <= 998, `${longest}`)
  assert.doesNotMatch(answer!.raw, /[^\r]\n|\r[^\n]/)
  assert.equal(answer!.raw.match(/^Content-Type: text\/(plain|html); charset=utf-8/gim)?.length, 2)
  const [, said] = /above this line -##\n\n(.*?)\n\nGrace Hopper/s.exec(answer!.email.text!)!
  assert.equal(said, words.trim())
  assert.ok(answer!.email.subject!.endsWith('ü'.repeat(200)))
})

test('a merged ticket is answered with what was written in both', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const one = await aTicket(desk, client, { message: 'The first.' })
  const other = await aTicket(desk, client, { message: 'The second.' })
  const merged = await desk.post('/api/admin/tickets/merge', admin, { id: other.ticket_id, into_id: one.ticket_id })
  assert.ok(merged.status < 300, merged.body.message)
  await mailsTo(client.email)
  await reply(one.ticket_id, 'Both.')
  const [answer] = await mailsTo(client.email)

  assert.match(answer!.email.text!, /> The second\.(.|\n)*> The first\./)
})
