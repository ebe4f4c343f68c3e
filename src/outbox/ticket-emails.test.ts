import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Email } from '../wording/email-templates.ts'
import { wordEmail } from '../wording/word-email.ts'
import { composeEmail } from './compose-email.ts'
import { clientTicketEmail, staffTicketEmail } from './ticket-emails.ts'

const ticket = { number: 'TIC-482910', subject: 'Fire\r\nBcc: evil@example.com <b>' }
const answered = {
  openedBy: undefined,
  messages: [{ by: 'Grace Hopper', text: 'Use <water>.\nOr "sand".' }],
  isAnswered: true,
  isClosed: false
} as const

function english(email: Email) {
  return composeEmail(wordEmail(email, 'en', { name: 'Support', url: 'https://desk.example' }), 'en')
}

test('what is quoted is marked on every line, escaped in HTML, and the subject is one line', () => {
  const { subject, text, html } = english(clientTicketEmail(ticket, answered, true))

  assert.equal(subject, '[TIC-482910] Fire Bcc: evil@example.com <b>')
  assert.match(text, /^Grace Hopper wrote:\n\n> Use <water>\.\n> Or "sand"\.$/m)
  assert.match(html, /<blockquote [^>]+>Use &#60;water&#62;\.\nOr &#34;sand&#34;\.<\/blockquote>/)
  assert.doesNotMatch(html, /<water>|<b>/)
})

test('to an address that nobody has proved go fixed words alone', () => {
  const email = clientTicketEmail(ticket, { ...answered, openedBy: 'client', isClosed: true }, false)

  const { subject, text, html } = english(email)

  assert.equal(subject, '[TIC-482910] Your support ticket')
  assert.doesNotMatch(text + html, /Fire|Bcc|water|Grace/)
  assert.match(text, /There is an answer to your ticket TIC-482910\./)
})

test('a long message is cut, and of many the last ten are told', () => {
  const customerReplies = Array.from({ length: 12 }, (_, at) => ({ by: `Customer ${at}`, text: '🙁'.repeat(6_000) }))

  const { text } = english(staffTicketEmail(ticket, { assignedBy: undefined, mentionedBy: [], customerReplies }))

  assert.match(text, /There were 2 more before these\.\n\nCustomer 2 wrote:/)
  assert.equal([...text.matchAll(/🙁{5000} \[…\]$/gmu)].length, 10)
  assert.ok(text.isWellFormed())
})
