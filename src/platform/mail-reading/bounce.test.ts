import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMail } from './read-mail.ts'

function read(headers: string, body: string) {
  const raw = `Subject: Mail delivery failed\nTo: s@d.example\n${headers}\n\n${body}`
  return readMail(Buffer.from(raw), { sender: undefined, recipient: undefined })
}

const returned =
  'Received: from here\n\tfor <other@c.example>\nX-Spam: blocked by policy\nMessage-ID: <ours@d.example>\nTo: ada@c.example\n\nHello\n'

test('why a mail came back is read from what servers write in free text, and not from the mail that they return', () => {
  const texts: [string, string, boolean][] = [
    ['Invalid final delivery userid: ada@c.example', 'no such address', true],
    ['User mailbox exceeds allowed size: ada@c.example', 'mailbox full', false],
    ['<ada@c.example>:\nMailbox quota usage exceeded. Espacio en casilla de mail agotado.', 'mailbox full', false],
    ['<ada@c.example>: 550 5.7.1 maildir over quota', 'mailbox full', true],
    ['ada@c.example\nの送信先のメールボックスが一杯のため、送信できませんでした。', 'mailbox full', false],
    [
      'error delivering your mail to <ada@c.example>.\nDNS lookup failure: host c.example not found',
      'no such domain',
      true
    ],
    [
      'error delivering to <ada@c.example>.\nCould not deliver for the last 432000 seconds.',
      'mail server not reached',
      false
    ],
    ['<ada@c.example>:\nvdelivermail: account is locked', 'mailbox disabled', true],
    ['ada@c.example: User not listed in public Name & Address Book', 'no such address', true],
    ['ada@c.example: Mail size limit exceeded', 'message too large', true],
    ['RCPT TO: ada@c.example\n550 - Requested action not taken: no such user here', 'no such address', true]
  ]
  for (const [said, reason, isPermanent] of texts) {
    const { bounce, automatic } = read(
      'From: post_master@c.example',
      `${said}\n\nOriginal message follows.\n\n${returned}`
    )
    assert.equal(automatic, 'bounce', said)
    assert.deepEqual(
      [bounce?.reason, bounce?.isPermanent, bounce?.recipient],
      [reason, isPermanent, 'ada@c.example'],
      said
    )
    assert.ok(bounce?.messageIds.includes('ours@d.example'), said)
  }
})

test('a daemon needs no address, and a report no part for programs', () => {
  const nameless = read('From: MAILER-DAEMON <>', `Error delivering your mail to <ada@c.example>.\n\n${returned}`)
  const report = read(
    'From: a@c.example\nSubject: x\nContent-Type: multipart/report; report-type=delivery-status; boundary=b',
    `--b\nContent-Type: text/plain\n\nTo <ada@c.example>: 配信に失敗しました\n--b--\n`
  )
  const late = read('From: MAILER-DAEMON@c.example', 'ada@c.example [Connection timed out]').bounce
  const warned = readMail(
    Buffer.from(
      'From: MAILER-DAEMON@c.example\nSubject: Warning--Could not send mail for past 8 hours\n\nada@c.example\n'
    ),
    { sender: undefined, recipient: undefined }
  ).bounce

  assert.deepEqual([nameless.bounce?.recipient, report.bounce?.recipient], ['ada@c.example', 'ada@c.example'])
  assert.deepEqual([late?.isDelay, warned?.isDelay], [false, true])
})

test('words of people about mail that did not arrive are no bounce', () => {
  const { bounce } = read('From: Ada <ada@c.example>', 'Did my mail come through? Yours did, but late.\n')

  assert.equal(bounce, undefined)
})

test('the returned mail is known also where its header stands in the header of the part', () => {
  const { bounce } = read(
    'From: MAILER-DAEMON@c.example\nContent-Type: multipart/report; report-type=delivery-status; boundary=b',
    '--b\n\nFailed.\n--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; ada@c.example\nAction: failed\nStatus: 5.1.1\n--b\nContent-Type: text/rfc822-headers\nMessage-ID: <ours@d.example>\nSubject: Hello\n--b--\n'
  )

  assert.ok(bounce?.messageIds.includes('ours@d.example'))
})

test('a report that a person passes on with all its parts is that person’s mail', () => {
  const parts =
    '--b\n\nWhat is this?\n--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; ada@c.example\nAction: failed\nStatus: 5.1.1\n--b--\n'
  const ofPerson = read('From: Ada <ada@c.example>\nContent-Type: multipart/mixed; boundary=b', parts)
  const ofDaemon = read('From: postmaster@c.example\nContent-Type: multipart/mixed; boundary=b', parts)

  assert.deepEqual([ofPerson.bounce?.isByWordsAlone ?? true, ofPerson.automatic], [true, undefined])
  assert.deepEqual([ofDaemon.bounce?.isByWordsAlone, ofDaemon.automatic], [false, 'bounce'])
})
