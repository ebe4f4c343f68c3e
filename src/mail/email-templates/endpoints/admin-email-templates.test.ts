import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { templateNames } from '../../../core/wording/email-templates.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const post = (path: string, body: object = {}, by = admin) => desk.post(`/api/admin/email-templates/${path}`, by, body)

const which = { name: 'reset-link', language: 'en' }
const wording = {
  subject: 'Your new password at {{desk.name}}',
  text: 'Hello,\r\n\r\n{{ reset.link }}\r\n\r\nBye\r\nfor now'
}
const kept = { subject: 'Your new password at {{desk.name}}', text: 'Hello,\n\n{{reset.link}}\n\nBye\nfor now' }

async function emailAfterForgetting(email: string) {
  await desk.post('/api/auth/forgot-password', undefined, { email })
  return (await desk.deliver()).emails.findLast(({ to }) => to === email)!
}

test('admins see every e-mail in every language, what may stand in it, and what it says by default', async () => {
  const { templates } = (await post('list')).data
  const { template } = (await post('detail', { name: 'client-ticket', language: 'de' })).data

  assert.deepEqual(
    templates.map(({ name }: { name: string }) => name),
    templateNames
  )
  assert.ok(templates.every(({ wordings }: { wordings: object[] }) => wordings.length === 2))
  assert.equal(template.text, template.default_text)
  assert.match(template.text, /Wir haben Ihre Nachricht erhalten/)
  assert.deepEqual([template.is_changed, template.is_used, template.version, template.updated_at], [0, 1, 1, null])
  const byName = Object.fromEntries(template.placeholders.map((each: { name: string }) => [each.name, each]))
  assert.deepEqual(
    [
      'ticket.number',
      'ticket.subject',
      'messages',
      'thread',
      'desk.name',
      'desk.url',
      'desk.forgot_url',
      'code'
    ].filter(name => !(name in byName)),
    ['code']
  )
  assert.deepEqual([byName.messages.is_required, byName.messages.may_be_in_subject], [1, 0])
  assert.equal(byName['ticket.number'].is_required_in_subject, 1)
})

test('a changed e-mail goes out in its new words, escaped for where they stand; the audit log tells both, and a reset brings the default back', async () => {
  const client = await aClient(desk)
  const changed = await post('update', { ...which, ...wording, expected_version: 1 })
  const mail = await emailAfterForgetting(client.email)
  const stored = await desk.db.selectFrom('email_templates').select(['name', 'language', 'subject', 'text']).execute()
  const back = await post('reset', { ...which, expected_version: changed.data.template.version })
  const again = await emailAfterForgetting(client.email)

  assert.equal(changed.status, 200)
  assert.deepEqual([changed.data.template.subject, changed.data.template.text], [kept.subject, kept.text])
  assert.equal(mail.subject, 'Your new password at Support')
  assert.match(mail.text, /^Hello,\n\nhttp\S+token=\S+\n\nBye\nfor now\n$/)
  assert.match(mail.html, />Bye<br>\nfor now<\/p>/)
  assert.deepEqual(stored, [{ ...which, ...kept }])
  assert.deepEqual([back.data.template.is_changed, back.data.template.version], [0, 1])
  assert.equal(again.subject, 'Choose a new password')
  const { entries } = (await desk.post('/api/admin/audit/list', admin, { action: 'email_template.', limit: 2 })).data
  assert.deepEqual(
    entries.map(({ action, before, after }: Record<string, { subject: string }>) => [
      action,
      before!.subject,
      after!.subject
    ]),
    [
      ['email_template.reset', kept.subject, 'Choose a new password'],
      ['email_template.changed', 'Choose a new password', kept.subject]
    ]
  )
})

test('only what differs from the default is stored, and two admins do not overwrite one another', async () => {
  const { template } = (await post('detail', which)).data
  const same = await post('update', { ...which, subject: template.default_subject, text: template.default_text })
  const mine = await post('update', { ...which, ...wording, expected_version: 1 })
  const theirs = await post('update', { ...which, ...wording, subject: 'Theirs', expected_version: 1 })
  const asBefore = await post('update', { ...which, subject: template.default_subject, text: template.default_text })

  assert.deepEqual([same.status, mine.status, theirs.status], [200, 200, 409])
  assert.equal(theirs.data.current_version, mine.data.template.version)
  assert.equal(asBefore.data.template.is_changed, 0)
  assert.deepEqual(await desk.db.selectFrom('email_templates').select('name').execute(), [])
})

test('a wording that could not be sent is refused with what is wrong with it, and nothing is stored', async () => {
  const link = '{{reset.link}}'
  for (const [given, message] of [
    [{ text: 'No link' }, /text: \{\{reset\.link\}\} must stand in a paragraph of its own/],
    [{ text: `Here: ${link}` }, /must stand in a paragraph of its own/],
    [{ text: `${link}\n\n{{code}}` }, /\{\{code\}\} is unknown here\. Known are \{\{reset\.link\}\}/],
    [{ text: `${link}\n\n{{constructor}} {{__proto__}}` }, /\{\{constructor\}\}, \{\{__proto__\}\} is unknown here/],
    [{ text: `${link}\n\n{{{desk.name}}}` }, /Double braces/],
    [{ text: `${link}\n\n{{desk.name` }, /Double braces/],
    [{ text: `{{#closed}}${link}{{/closed}}` }, /\{\{#closed\}\}, \{\{\/closed\}\} is unknown here/],
    [{ subject: 'Go to {{reset.link}}' }, /subject: \{\{reset\.link\}\} may not stand in the subject/],
    [{ subject: 'One\nBcc: all@example.com' }, /on one line/],
    [{ subject: 'x'.repeat(201) }, /subject/],
    [{ text: `${link}\n\n${'x'.repeat(10_000)}` }, /text/]
  ] as const) {
    const { status, body } = await post('update', { ...which, ...kept, ...given })

    assert.equal(status, 400, JSON.stringify(given))
    assert.match(body.message, message)
  }
  const conditional = { name: 'client-ticket', language: 'en', subject: '[{{ticket.number}}]' }
  for (const [text, message] of [
    ['{{#closed}}{{messages}}{{/closed}}', /\{\{messages\}\} must stand .* outside of conditions/],
    ['{{messages}}\n\n{{#closed}}It is over.', /\{\{#closed\}\} has no end/],
    ['{{messages}}\n\n{{#closed}}{{#opened}}x{{/opened}}{{/closed}}', /stands within/],
    ['{{messages}}\n\n{{/closed}}', /ends what has not begun/]
  ] as const) {
    const { status, body } = await post('update', { ...conditional, text })
    assert.equal(status, 400)
    assert.match(body.message, message)
  }
  const noNumber = await post('update', { ...conditional, subject: 'A ticket', text: '{{messages}}' })
  assert.match(noNumber.body.message, /\{\{ticket\.number\}\} must stand in the subject/)
  assert.deepEqual(await desk.db.selectFrom('email_templates').select('name').execute(), [])
})

test('a preview shows unsaved words with example values, for the conditions that are asked for', async () => {
  const text = '{{messages}}\n\n{{#closed}}Over & out, {{ticket.number}}.{{/closed}}'
  const tried = { name: 'client-ticket', language: 'de', subject: '[{{ticket.number}}] <b>', text }

  const closed = await post('preview', tried)
  const open = await post('preview', { ...tried, conditions: [] })
  const stored = await post('preview', { name: 'email-code', language: 'en' })
  const refused = await post('preview', { ...tried, text: 'nothing' })

  assert.equal(closed.data.subject, '[TIC-482910] <b>')
  assert.match(closed.data.text, /^Bitte ziehen .*\n.*\n\nGrace Hopper\n\nOver & out, TIC-482910\.\n$/)
  assert.match(closed.data.html, /<html lang="de">/)
  assert.match(closed.data.html, /<title>\[TIC-482910\] &#60;b&#62;<\/title>[\s\S]*Over &#38; out/)
  assert.doesNotMatch(open.data.text, /Over/)
  assert.match(stored.data.text, /^ {4}123456$/m)
  assert.equal(refused.status, 400)
})

test('a test goes to the admin who asks and to nobody else, says that it is one, and not without end', async () => {
  const other = await anAdmin(desk)
  const { data } = await post('test', { name: 'invitation', language: 'de', subject: 'Willkommen' }, other)
  const sent = (await desk.deliver()).emails.filter(({ subject }) => subject === '[Test] Willkommen')
  const statuses = new Set<number>()
  for (let at = 0; at < 31; at++)
    statuses.add((await post('test', { name: 'invitation', language: 'de' }, other)).status)

  assert.equal(data.email, other.email)
  assert.deepEqual(
    sent.map(({ to }) => to),
    [other.email]
  )
  assert.deepEqual([...statuses], [200, 429])
})

test('a wording of a former version that can no longer be sent is left aside and told of, and the default goes out', async () => {
  const row = { ...which, language: 'en' as const, subject: 'Old {{reset.color}}', text: 'Old', updated_at: new Date() }
  await desk.db.insertInto('email_templates').values(row).execute()
  const client = await aClient(desk)

  const mail = await emailAfterForgetting(client.email)
  const { template } = (await post('detail', which)).data
  await desk.db.deleteFrom('email_templates').execute()

  assert.equal(mail.subject, 'Choose a new password')
  assert.deepEqual([template.is_changed, template.is_used, template.faults.length], [1, 0, 2])
})

test('supporters change no e-mails, whatever else they may', async () => {
  const supporter = await aSupporter(desk, 'tickets.view_all', 'clients.edit')
  for (const path of ['list', 'detail', 'update', 'reset', 'preview', 'test'])
    assert.equal((await post(path, { ...which, ...kept }, supporter)).status, 403, path)
})
