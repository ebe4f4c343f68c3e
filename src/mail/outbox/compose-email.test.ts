import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Email } from '../../core/wording/email-templates.ts'
import { phoneCodeText } from '../../core/wording/fill-wording.ts'
import { renderEmail } from '../../core/wording/render-email.ts'
import { composeEmail } from './compose-email.ts'

const desk = { name: 'Support', url: 'https://desk.example' }

function english(email: Email) {
  return composeEmail(renderEmail(email, 'en', desk))
}

const codeEmail = { template: 'email-code', values: { code: '482913', 'code.valid_for': 900 } } as const

test('the reset e-mail carries the link whole, in text and HTML, and says how long it works', () => {
  const link = `https://desk.example/reset?from="a'&b=<c>&token=${'x'.repeat(300)}`

  const { subject, text, html } = english({
    template: 'reset-link',
    values: { 'reset.link': link, 'reset.valid_for': 3600 }
  })

  assert.equal(subject, 'Choose a new password')
  assert.ok(text.split('\n').includes(link))
  assert.match(text, /within 1 hour\./)
  assert.ok(html.includes(`<a href="https://desk.example/reset?from=&#34;a&#39;&#38;b=&#60;c&#62;&#38;token=`))
  assert.match(html, /within 1 hour\./)
})

test('the code e-mail says the code and how long it works, and its subject does not', () => {
  const { subject, text, html } = english(codeEmail)

  assert.match(text, /^ {4}482913$/m)
  assert.match(html, />482913</)
  assert.match(text, /within 15 minutes\./)
  assert.doesNotMatch(subject, /482913/)
})

test('the text with a code fits a single SMS, in both languages', () => {
  for (const language of ['en', 'de'] as const) {
    const { text } = phoneCodeText({ code: '482913', expiresInSeconds: 900 }, language)

    assert.match(text, / ist? 482913\. .* 15 Minut| is 482913\. .* 15 minutes/)
    assert.ok(text.length <= 160, `${text.length} characters`)
    assert.match(text, /^[\x20-\x7e]*$/)
  }
})

test('plain e-mails have lines that every program shows whole', () => {
  const { text } = english(codeEmail)

  assert.ok(
    text.split('\n').every(line => line.length <= 72),
    text
  )
})

test('the invitation says that an account was opened, by which link, and for how many days', () => {
  const link = 'https://desk.example/reset?token=abc'

  const { subject, text } = english({
    template: 'invitation',
    values: { 'reset.link': link, 'reset.valid_for': 7 * 86_400 }
  })

  assert.equal(subject, 'Your support account')
  assert.ok(text.split('\n').includes(link))
  assert.match(text, /within 7 days\./)
})

test('who loses the second factor learns what that means and what to do', () => {
  const { text } = english({ template: 'two-factor-reset', values: {} })

  assert.match(text, /password\s+alone\s+logs/)
  assert.match(text, /choose\s+a\s+new\s+password/)
})
