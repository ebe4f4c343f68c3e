import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Email } from '../../core/wording/email-templates.ts'
import { renderEmail } from '../../core/wording/render-email.ts'
import { composeEmail, withLeftOutFiles } from './compose-email.ts'
import { type ClientReader, clientTicketEmail, staffTicketEmail } from './ticket-emails.ts'

function english(email: Email) {
  return composeEmail(renderEmail(email, 'en', { name: 'Support', url: 'https://desk.example' }))
}

function toClient(...given: Parameters<typeof clientTicketEmail>) {
  const { email, ...rest } = clientTicketEmail(...given)
  return { ...rest, content: english(email) }
}

const nothing = {
  backFor: undefined,
  dueSoon: undefined,
  wasDue: undefined,
  assignedBy: undefined,
  mentionedBy: [],
  customerReplies: [],
  partnerReplies: []
}
const ticket = { number: 'TIC-482910', subject: 'Re: Fire\r\nBcc: evil@example.com <b>' }
const answered = {
  openedBy: undefined,
  messages: [{ by: 'Grace Hopper', text: 'Use <water>.\n  Or "sand".' }],
  isAnswered: true,
  isClosed: false
} as const
const url = 'https://desk.example/tickets/TIC-482910'
const reader: ClientReader = {
  trust: 'proven',
  url,
  isAnswerable: true,
  earlier: [{ by: 'Ada\nLovelace', text: '<i>Help</i>\n\nIt burns.', at: new Date('2026-11-20T08:28:31Z') }],
  files: [],
  maxFileBytes: 1_000_000
}

test('an answer says what staff wrote, then what was before, marked on every line; all of it is escaped in HTML', () => {
  const { content, isPersonal } = toClient(ticket, answered, reader)

  assert.equal(isPersonal, true)
  assert.equal(content.subject, 'Re: [TIC-482910] Fire Bcc: evil@example.com <b>')
  assert.equal(
    content.text,
    `##- Please write your answer above this line -##

Use <water>.
  Or "sand".

Grace Hopper

You can answer this e-mail. You read the ticket and reply to it at the
support desk, where you can also turn e-mails about tickets off:

${url}

On 20 Nov 2026, 08:28 UTC, Ada Lovelace wrote:
> <i>Help</i>
>
> It burns.
`
  )
  assert.match(content.html, />Use &#60;water&#62;\.<br>\n&nbsp; Or &#34;sand&#34;\.<\/div>/)
  assert.match(content.html, /<blockquote [^>]+>&#60;i&#62;Help&#60;\/i&#62;<br>\n<br>\nIt burns\.<\/blockquote>/)
  assert.doesNotMatch(content.html, /<water>|<b>|<i>/)
})

test('to an address that nobody has proved go fixed words alone, and to one that has only written until staff write', () => {
  const files = [
    { id: 1, name: 'secret.pdf', sizeBytes: 1, scanState: 'clean', path: '/uploads/tickets/aa/a.pdf' }
  ] as const
  const stranger = { ...reader, files, trust: 'none' } as const
  const fixed = toClient(ticket, { ...answered, openedBy: 'client', isClosed: true }, stranger)
  const arrival = toClient(
    ticket,
    { ...answered, messages: [], isAnswered: false, openedBy: 'client' },
    { ...stranger, trust: 'writing' }
  )
  const told = toClient(ticket, answered, { ...stranger, trust: 'writing' })

  for (const { content, isPersonal, files } of [fixed, arrival]) {
    assert.equal(content.subject, '[TIC-482910] Your support ticket')
    assert.doesNotMatch(content.text + content.html, /Fire|Bcc|water|Grace|Help|burns|secret/)
    assert.deepEqual([isPersonal, files], [false, []])
  }
  assert.match(fixed.content.text, /There is an answer to your ticket TIC-482910\./)
  assert.match(told.content.text, /Use <water>/)
})

test('files go with an answer as far as they are clean and small enough together; of the others it says where they are', () => {
  const files = [
    { id: 1, name: 'one.pdf', sizeBytes: 600_000, scanState: 'clean', path: '/uploads/tickets/aa/a.pdf' },
    { id: 2, name: 'two.pdf', sizeBytes: 600_000, scanState: 'clean', path: '/uploads/tickets/aa/a.pdf' },
    { id: 3, name: 'three.pdf', sizeBytes: 400_000, scanState: 'clean', path: '/uploads/tickets/aa/a.pdf' },
    { id: 4, name: 'four.pdf', sizeBytes: 1, scanState: 'pending', path: '/uploads/tickets/aa/a.pdf' },
    { id: 5, name: 'five.exe', sizeBytes: 1, scanState: 'infected', path: '/uploads/tickets/aa/a.pdf' }
  ] as const
  const email = toClient(ticket, answered, { ...reader, files })

  assert.deepEqual(
    email.files.map(({ id }) => id),
    [1, 3]
  )
  const words = email.content.text
  assert.match(words, /once you are\s+logged in:\n\n- two\.pdf \(600 kB\)\n- four\.pdf \(1 byte\)\n\nhttps:/)
  assert.match(words, /virus scanner objects to it:\n\n- five\.exe\n/)
  assert.doesNotMatch(words, /one\.pdf/)
  const late = withLeftOutFiles(email.content, [email.files[0]!.label])
  assert.match(late.text, /- five\.exe\n\nFiles .*- one\.pdf \(600 kB\)\n\nhttps:\S+\n\nYou can answer/s)
  assert.match(late.html, /<li dir="auto">one\.pdf \(600 kB\)<\/li>/)
  assert.doesNotMatch(withLeftOutFiles(email.content, []).html, /<!--/)
})

test('a long message is cut, of many the last ten are told, and what was before has a bound altogether', () => {
  const long = '🙁'.repeat(6_000)
  const customerReplies = Array.from({ length: 12 }, (_, at) => ({ by: `Customer ${at}`, text: long }))
  const earlier = customerReplies.map(each => ({ ...each, at: new Date(0) }))

  const { text } = english(staffTicketEmail(ticket, { ...nothing, customerReplies }))
  const { content } = toClient(ticket, { ...answered, messages: customerReplies }, { ...reader, earlier })

  assert.match(text, /There were 2 more before these\.\n\nCustomer 2 wrote:/)
  assert.equal([...text.matchAll(/🙁{5000} \[…\]$/gmu)].length, 10)
  assert.match(content.text, /There were 2 more before these\.\n\n🙁/)
  assert.equal([...content.text.matchAll(/^> 🙁/gmu)].length, 1)
  assert.ok(text.isWellFormed() && content.text.isWellFormed() && content.html.isWellFormed())
})
