import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeLog } from '../log.ts'
import type { MailMessage } from './mail.ts'
import { mailFolder } from './outbox-folder.ts'

const message: MailMessage = {
  messageId: '<message-7.abc@desk.example>',
  from: 'Desk <desk@desk.example>',
  to: 'anna@example.com',
  subject: 'Your code',
  text: 'The code is 123456.\n',
  html: '<p>The code is 123456.</p>\n',
  headers: { 'Auto-Submitted': 'auto-generated' },
  date: new Date('2026-11-20T08:28:31Z')
}

describe('the outbox folder for e-mails', () => {
  let parent: string
  let folder: string
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'deskline-mail-'))
  })
  after(() => rm(parent, { recursive: true }))

  /** The files that these e-mails create, by name. */
  async function filesOf(...messages: MailMessage[]): Promise<Record<string, string>> {
    folder = join(await mkdtemp(join(parent, 'outbox-')), 'new')
    const mail = mailFolder(folder, makeLog('silent'))
    for (const each of messages) await mail.send(each)
    const names = await readdir(folder)
    return Object.fromEntries(
      await Promise.all(names.map(async name => [name, await readFile(join(folder, name), 'utf8')]))
    )
  }

  async function emailOf(changes: Partial<MailMessage>): Promise<string> {
    return Object.values(await filesOf({ ...message, ...changes }))[0]!
  }

  test('an e-mail is a readable .eml file with all its headers and both its parts', async () => {
    const first = '<ticket-482910.x1@desk.example>'
    const files = await filesOf({ ...message, inReplyTo: first, references: first })

    assert.deepEqual(Object.keys(files), ['2026-11-20-082831-message-7.abc.eml'])
    const [head, ...parts] = Object.values(files)[0]!.split('\r\n\r\n')
    const headers = head!.split('\r\n')
    for (const header of [
      'From: Desk <desk@desk.example>',
      'To: anna@example.com',
      'Subject: Your code',
      'Message-ID: <message-7.abc@desk.example>',
      `In-Reply-To: ${first}`,
      `References: ${first}`,
      'Date: Fri, 20 Nov 2026 08:28:31 +0000',
      'Auto-Submitted: auto-generated'
    ]) {
      assert.ok(headers.includes(header), `${header} in\n${head}`)
    }
    assert.match(parts.join('\n'), /^The code is 123456\.$/m)
    assert.match(parts.join('\n'), /<p>The code is 123456\.<\/p>/)
  })

  test('a long link can be read and copied from the file', async () => {
    const link = `https://desk.example/reset-password?token=${'abc.def_'.repeat(50)}&email=anna%40example.com`

    const email = await emailOf({ text: `Open\n\n${link}\n` })

    assert.ok(email.split('\r\n').includes(link))
  })

  test('what is not ASCII, or longer than a line may be, is encoded', async () => {
    const email = await emailOf({ subject: 'Grüße', text: 'Grüße\n', html: `<p>${'x'.repeat(2000)}</p>` })

    assert.match(email, /^[\r\n\x20-\x7e]*$/)
    assert.match(email, /^Subject: =\?UTF-8\?Q\?Gr=C3=BC=C3=9Fe\?=\r$/m)
    assert.match(email, /^Gr=C3=BC=C3=9Fe\r$/m)
    assert.ok(email.split('\r\n').every(line => line.length <= 998))
  })

  test('nothing in an address or a subject starts another header or adds a recipient', async () => {
    const email = await emailOf({
      to: 'a@b.example\r\nBcc: evil@example.com, more@example.com',
      subject: 'Hello\r\nBcc: evil@example.com\r\n\r\nBody'
    })

    const [head] = email.split('\r\n\r\n')
    const names = head!.split('\r\n').map(line => /^[\w-]+(?=:)|^\s/.exec(line)?.[0])
    assert.deepEqual(
      names.filter(name => name?.trim()),
      ['Auto-Submitted', 'From', 'To', 'Subject', 'Message-ID', 'Date', 'MIME-Version', 'Content-Type']
    )
    assert.match(head!, /^To: <"[^"]*"@example\.com>$/m)
  })

  test('an e-mail sent again replaces its file, and nothing else is left behind', async () => {
    const files = await filesOf(message, { ...message, text: 'Again 654321.\n' })

    assert.equal(Object.keys(files).length, 1)
    assert.match(Object.values(files)[0]!, /Again 654321/)
  })

  test('a reference with slashes and dots stays in the folder', async () => {
    const files = await filesOf({ ...message, messageId: '<../../../etc/passwd@desk.example>' })

    assert.deepEqual(Object.keys(files), ['2026-11-20-082831-......etcpasswd.eml'])
  })

  test('only their owner reads the e-mails', async () => {
    const [name] = Object.keys(await filesOf(message))

    assert.equal((await stat(folder)).mode & 0o777, 0o700)
    assert.equal((await stat(join(folder, name!))).mode & 0o777, 0o600)
  })
})
