import assert from 'node:assert/strict'
import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { mailServer } from '../../../test/support/mail-server.ts'
import { dkimFolder, dkimKey } from './dkim.ts'
import { smtpMail } from './smtp.ts'
import { smtpAddress } from './smtp-address.ts'

const message = {
  messageId: '<message-7.abc@desk.example>',
  from: 'Desk <desk@desk.example>',
  to: 'anna@example.com',
  subject: 'Your code: Grüße',
  text: 'The code  is 123456. \n.\nA line of one dot is above.\n\n',
  html: '<p>The code is 123456.</p>\n',
  date: new Date('2026-11-20T08:28:31Z')
}

test('an e-mail is signed for the domain with the key, over its sender, subject, recipient and body', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = dkimKey(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString().replaceAll('\n', '\\n'))
  const server = await mailServer()
  const dkim = [{ domain: 'desk.example', selector: 'mail2026', privateKey: pem }]
  const mail = smtpMail({ address: smtpAddress(`smtp://127.0.0.1:${server.port}`), dkim })
  after(() => mail.close())

  await mail.send(message)

  const { raw } = server.emails[0]!
  const { tags, signedHeaders, bodyHash } = dkimOf(raw.toString('latin1'))
  assert.deepEqual([tags.d, tags.s, tags.a, tags.c], ['desk.example', 'mail2026', 'rsa-sha256', 'relaxed/relaxed'])
  for (const name of ['from', 'to', 'subject', 'date', 'message-id']) assert.ok(tags.h!.split(':').includes(name), name)
  assert.equal(bodyHash, tags.bh)
  assert.ok(createVerify('sha256').update(signedHeaders, 'latin1').verify(publicKey, tags.b!, 'base64'))
})

test('each sender is signed for by the key of its domain or of the nearest above it, and one without any by the first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-dkim-'))
  after(() => rm(folder, { recursive: true }))
  const pem = () =>
    generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  const names = [
    's1._domainkey.example.org.pem',
    's2._domainkey.mail.example.org.pem',
    'mail.2026._domainkey.Desk.example.pem'
  ]
  for (const name of names) await writeFile(join(folder, name), pem())
  await writeFile(join(folder, '..data'), 'of a container')
  const keys = [{ domain: 'first.example', selector: 's0', privateKey: dkimKey(String(pem())) }, ...dkimFolder(folder)]
  const server = await mailServer()
  const mail = smtpMail({ address: smtpAddress(`smtp://127.0.0.1:${server.port}`), dkim: keys })
  after(() => mail.close())

  const senders = ['a@example.org', 'a@mail.example.org', 'a@notexample.org', 'Billing <b@DESK.example>']
  for (const from of senders) await mail.send({ ...message, from })

  const signed = server.emails.map(({ raw }) => dkimOf(raw.toString('latin1')).tags)
  assert.deepEqual(
    signed.map(({ d, s }) => [d, s]),
    [
      ['example.org', 's1'],
      ['mail.example.org', 's2'],
      ['first.example', 's0'],
      ['desk.example', 'mail.2026']
    ]
  )
})

test('a folder of keys with something else in it is refused, and so is one that cannot be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-dkim-'))
  after(() => rm(folder, { recursive: true }))
  assert.throws(() => dkimFolder(join(folder, 'none')), /must be a folder that can be read/)
  await writeFile(join(folder, 'key.pem'), 'x')
  assert.throws(() => dkimFolder(folder), /files called SELECTOR\._domainkey\.DOMAIN\.pem/)
  await rm(join(folder, 'key.pem'))
  await writeFile(join(folder, 's._domainkey.example.org.pem'), 'x')
  assert.throws(() => dkimFolder(folder), /but s\._domainkey\.example\.org\.pem is none/)
})

/** How a receiver verifies a DKIM signature (RFC 6376, relaxed/relaxed). */
function dkimOf(raw: string) {
  const end = raw.indexOf('\r\n\r\n')
  const headers = raw.slice(0, end).split(/\r\n(?![ \t])/)
  const relaxed = (header: string) => {
    const [, name, value] = /^([^:]+):([\s\S]*)$/.exec(header)!
    return `${name!.toLowerCase()}:${value!
      .replace(/\r\n/g, '')
      .replace(/[ \t]+/g, ' ')
      .trim()}`
  }
  const signature = headers.find(each => /^dkim-signature:/i.test(each))!
  const tags: Record<string, string> = Object.fromEntries(
    signature
      .slice(signature.indexOf(':') + 1)
      .split(';')
      .map(tag => [tag.split('=', 1)[0]!.trim(), tag.slice(tag.indexOf('=') + 1).replace(/\s+/g, '')])
  )
  const named = tags.h!.split(':').map(name => headers.findLast(each => each.toLowerCase().startsWith(`${name}:`))!)
  const lines = raw.slice(end + 4).split('\r\n')
  const body = lines
    .map(line => line.replace(/[ \t]+/g, ' ').trimEnd())
    .join('\r\n')
    .replace(/(\r\n)*$/, '\r\n')
  return {
    tags,
    signedHeaders: [...named.map(relaxed), relaxed(signature).replace(/(\bb=)[^;]*$/, '$1')].join('\r\n'),
    bodyHash: createHash('sha256').update(body, 'latin1').digest('base64')
  }
}
