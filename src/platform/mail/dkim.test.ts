import assert from 'node:assert/strict'
import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { mailServer } from '../../../test/support/mail-server.ts'
import { dkimKey } from './dkim.ts'
import { smtpMail } from './smtp.ts'
import { smtpAddress } from './smtp-address.ts'

const message = {
  messageId: '<letter-7.abc@desk.example>',
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

/** What a receiver makes of a DKIM signature (RFC 6376, relaxed/relaxed). */
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
