import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { mailPrograms, replyBy } from '../../../test/support/mail-programs.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { anAdmin } from '../../../test/support/people.ts'

const desk = await bootDesk({
  connections: 6,
  config: { NOTIFICATION_DELAY_SECONDS: 0, MAIL_FROM: 'Example Support <support@desk.example>' }
})
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })

/** What has gone out since the last look, by recipient. */
async function sent() {
  const { emails } = await desk.deliver()
  return emails.splice(0)
}

async function thread(id: number | undefined) {
  const { data } = await desk.post('/api/admin/tickets/detail', admin, { id })
  return data as { ticket: { status: string }; messages: { text?: string; message: string; quoted?: string }[] }
}

async function staffSay(id: number | undefined, message: string): Promise<void> {
  assert.equal((await desk.post('/api/admin/tickets/reply', admin, { id, message })).status, 201)
}

test('our e-mail, answered with any program, comes back with the new words alone', async () => {
  const { ticket_id: id } = await receive(aMail({}, 'The printer is on fire.\n\nWhat now?\n'))
  await sent()
  await staffSay(id, 'Pull the plug.\n\nThen tell us:\n\n> which colour is the smoke?\n\nFrom: here on it is safe.')
  const [answer] = (await sent()).filter(({ to }) => to === 'ada@example.com')

  for (const program of mailPrograms) {
    const words = `It is green (${program}).`
    const receipt = await receive(replyBy(program, { from: 'Ada <ada@example.com>', message: answer!, words }))
    const last = (await thread(id)).messages.at(-1)!

    assert.deepEqual([receipt.outcome, receipt.ticket_id], ['reply', id], program)
    assert.equal(last.text, words, program)
    assert.match(last.quoted!, /Pull the plug/, program)
  }
})

test('a whole conversation by e-mail stays one ticket, three turns long, with a second person, and ends by itself', async () => {
  const ada = 'Ada Lovelace <ada@analytical.example>'
  const bob = 'Bob Babbage <bob@analytical.example>'
  const opening = { From: ada, Cc: bob, Subject: 'Our engine', 'Message-ID': '<engine@analytical.example>' }
  const { outcome, ticket_id: id } = await receive(aMail(opening, 'It does not turn.\n'))
  const first = await sent()
  const arrival = first.find(({ subject }) => subject.includes('TIC-'))!
  assert.deepEqual([outcome, arrival.inReplyTo], ['ticket', '<engine@analytical.example>'])
  assert.equal(arrival.headers?.['Auto-Submitted'], 'auto-generated')
  assert.deepEqual(new Set(first.map(({ to }) => to)), new Set(['ada@analytical.example']))

  for (const [turn, program] of (['gmail', 'outlook', 'apple'] as const).entries()) {
    await staffSay(id, `Answer ${turn}: oil it.`)
    const out = await sent()
    const answer = out.find(({ to }) => to === 'ada@analytical.example')!
    assert.match(answer.text, new RegExp(`^Answer ${turn}: oil it\\.$`, 'm'))
    assert.ok(answer.references!.split(' ').includes('<engine@analytical.example>'))
    const from = turn === 1 ? bob : ada
    const told = out.find(({ to }) => from.includes(to)) ?? answer
    const receipt = await receive(
      replyBy(program, { from, message: told, words: `Turn ${turn}: no.`, headers: { Cc: turn === 1 ? ada : bob } })
    )
    assert.deepEqual([receipt.outcome, receipt.ticket_id, receipt.is_automatic], ['reply', id, false])
    assert.equal((await thread(id)).messages.at(-1)!.text, `Turn ${turn}: no.`)
    // Holiday notices of both, to what the desk has sent.
    for (const person of [ada, bob]) {
      await receive(
        aMail(
          { From: person, Subject: 'Out of office', 'Auto-Submitted': 'auto-replied', 'In-Reply-To': answer.messageId },
          'Away.\n'
        )
      )
    }
    const back = await sent()
    assert.deepEqual(
      back.filter(({ to }) => to === receipt.sender),
      [],
      'nobody is answered by a program'
    )
  }

  const { ticket, messages } = await thread(id)
  assert.equal(ticket.status, 'Customer-Reply')
  assert.equal(messages.filter(({ message }) => message !== 'Away.').length, 7)
  assert.deepEqual(await sent(), [])
})

test('a follow-up to one’s own mail comes into its ticket, and that of a stranger opens another', async () => {
  const from = 'Ada Lovelace <follow-up@analytical.example>'
  const { ticket_id: id } = await receive(aMail({ From: from, 'Message-ID': '<first@analytical.example>' }))
  const followUp = { 'In-Reply-To': '<first@analytical.example>', Subject: 'And another thing' }

  const own = await receive(aMail({ From: from, ...followUp }))
  const strange = await receive(aMail({ From: 'mallory@example.net', ...followUp }))

  assert.deepEqual([own.outcome, own.ticket_id], ['reply', id])
  assert.equal(strange.outcome, 'ticket')
  assert.notEqual(strange.ticket_id, id)
})

test('an image within the text of a mail is shown at its path in the ticket, and one that is missing by its words', async () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const html = '<p>Smoke: <img src="cid:smoke%40x" alt="grey"> <img src="cid:gone@x" alt="lost"></p>'
  const parts = `--b\nContent-Type: text/html\n\n${html}\n--b\nContent-Type: image/png; name="smoke.png"\nContent-ID: <smoke@x>\nContent-Disposition: inline; filename="smoke.png"\nContent-Transfer-Encoding: base64\n\n${pixel}\n--b--\n`
  const { ticket_id: id } = await receive(aMail({ 'Content-Type': 'multipart/related; boundary=b' }, parts))

  const { messages } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data
  const [message] = messages
  const [file] = message.attachments

  assert.deepEqual([message.attachments.length, file.file_name], [1, 'smoke.png'])
  assert.ok(message.html.includes(file.file_path), `${message.html} ${JSON.stringify(file)}`)
  assert.doesNotMatch(message.html, /cid:/)
  assert.match(message.html, /lost/)
})
