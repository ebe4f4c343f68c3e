import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeEmail } from '../../mail/outbox/compose-email.ts'
import { catalogues } from './catalogues.ts'
import { type AnyEmail, placeholdersOf, type TemplateName, templateNamed, templateNames } from './email-templates.ts'
import { languages } from './languages.ts'
import { renderEmail } from './render-email.ts'

const desk = { name: 'Support', url: 'https://desk.example' }

test('every e-mail stands in every language, and names nothing but what it knows', () => {
  for (const language of languages)
    for (const name of templateNames) {
      const { subject, text } = catalogues[language].emails[name]
      const known = [...Object.keys(placeholdersOf(name)), ...Object.keys(templateNamed(name).conditions)]
      const unknown = [...tags(subject), ...tags(text)].filter(tag => !known.includes(tag.replace(/^[#/]/, '')))

      assert.deepEqual(unknown, [], `${language} ${name}`)
      assert.ok(subject.trim() && text.trim())
    }
})

test('German names the same as English, in each e-mail, under the same conditions', () => {
  const { en, de } = catalogues
  for (const name of templateNames) {
    assert.deepEqual(tags(de.emails[name].subject), tags(en.emails[name].subject), name)
    assert.deepEqual(tags(de.emails[name].text), tags(en.emails[name].text), name)
  }
  for (const phrase of ['phoneCode', 'wrote', 'wroteOn'] as const)
    assert.deepEqual(tags(de[phrase]), tags(en[phrase]), phrase)
  assert.deepEqual(de.leftOut.map(tags), en.leftOut.map(tags))
})

const hostile = [
  '<script>alert(1)</script><img src=x onerror=alert(1)> "\' &amp; &',
  'One\r\nBcc: all@example.com\r\n\r\n<h1>Two</h1>\u2028Three',
  '{{desk.url}} {{#closed}}{{code}}{{/closed}} {{reset.link}} $& $1',
  '\u202egnp.exe\u202c \u2067שלום\u2069 مرحبا',
  'x'.repeat(10_000),
  '👩‍👩‍👧'.repeat(10_000)
]

test('whatever the values are, an e-mail keeps its form: one line of subject, nothing expanded, nothing that is not escaped', () => {
  for (const language of languages)
    for (const name of templateNames)
      for (const value of hostile) {
        const filled = renderEmail(emailOf(name, value), language, desk)
        const { subject, text, html } = composeEmail(filled)

        assert.doesNotMatch(subject, /[\p{Cc}\u2028\u202a-\u202e\u2066-\u2069]/u)
        assert.ok([...subject].length <= 500 && subject.isWellFormed() && text.isWellFormed())
        assert.doesNotMatch(html, /<script|<img|<h1|onerror=alert\(1\)>/)
        // What is quoted keeps its lines, each of them marked; everywhere else a line break of a value is a blank.
        assert.ok(
          filled.paragraphs.every(paragraph => typeof paragraph !== 'string' || !/[\p{Cc}\u2028]/u.test(paragraph))
        )
        if (value.includes('{{')) assert.ok(!text.includes('https://desk.example {{'), 'nothing is filled in twice')
      }
})

test('a ticket with placeholders in its subject is told with these very words', () => {
  const subject = '{{messages}} {{ticket.number}} {{#closed}}x{{/closed}}'
  const values = { ...valuesOf('client-ticket', subject), 'ticket.number': 'TIC-100000' }

  const filled = renderEmail({ template: 'client-ticket', values }, 'de', desk)

  assert.equal(filled.subject, `Re: [TIC-100000] ${subject}`)
})

test('what its e-mail does not have, no wording can read', () => {
  const wording = { subject: '{{constructor}}{{__proto__}}', text: 'A{{toString}}{{ticket.subject}}{{code.secret}}B' }
  const email = { template: 'email-code' as const, values: { code: '1', 'code.valid_for': 60, 'code.secret': 'no' } }

  const filled = renderEmail(email, 'en', desk, wording)

  assert.deepEqual(filled, { subject: '', paragraphs: ['AB'] })
})

function tags(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, tag]) => tag!))].sort()
}

function emailOf(template: TemplateName, value: string): AnyEmail {
  return { template, values: valuesOf(template, value) }
}

/** This value wherever a text, a link or a code stands, and every condition true. */
function valuesOf(template: TemplateName, value: string): AnyEmail['values'] {
  const messages = [{ by: value, text: value, at: new Date(0) }]
  const files = { filesElsewhere: [value], filesRefused: [value], hasFiles: true }
  const answer = { messages, ...files, link: value }
  const byKind = { text: value, link: value, code: value, duration: 60, messages, answer, thread: messages }
  return Object.fromEntries([
    ...Object.entries(placeholdersOf(template)).map(([name, { kind }]) => [name, byKind[kind]]),
    ...Object.keys(templateNamed(template).conditions).map(name => [name, true])
  ])
}
