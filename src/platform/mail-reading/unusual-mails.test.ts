import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodedText } from './charset.ts'
import { readMail } from './read-mail.ts'

const head = 'From: Ada <ada@example.com>\nTo: s@d.example\nMessage-ID: <x@y>\nSubject: x\n'
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function read(rest: string) {
  return readMail(Buffer.from(head + rest), { sender: undefined, recipient: undefined })
}

function multipart(type: string, boundary: string, ...parts: string[]): string {
  return `Content-Type: ${type}; boundary=${boundary}\n\n${parts.map(part => `--${boundary}\n${part}\n`).join('')}--${boundary}--\n`
}

test('Shift_JIS that says it is UTF-8 or Latin-1 is read, and western words under these labels stay western', () => {
  // こんにちは、プリンター
  const japanese = Buffer.from('82b182f182c982bf82cd81418376838a8393835e815b', 'hex')

  for (const label of ['utf-8', 'iso-8859-1', 'windows-1252'])
    assert.equal(decodedText(japanese, label), 'こんにちは、プリンター', label)
  const western = [
    'Grüße aus Köln, für 5 £',
    'Ça va très bien, à bientôt',
    'Måndag på sjön, åter',
    'Señor Muñoz: ¿qué?'
  ]
  for (const words of western)
    for (const label of ['utf-8', 'iso-8859-1']) assert.equal(decodedText(Buffer.from(words, 'latin1'), label), words)
})

test('words that a list has added below base64 are no base64, also where nothing was padded', () => {
  const encoded = Buffer.from('Nine by nine').toString('base64')
  const type = 'Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n'

  for (const footer of ['_______________________\nusers mailing list\n', 'You get this since you are in the list\n'])
    assert.equal(read(`${type}${encoded}\n\n${footer}`).text, 'Nine by nine', footer)
  const [first, second] = [encoded.slice(0, 8), encoded.slice(8)]
  assert.equal(read(`${type}${first}\n\n${second}\n`).text, 'Nine by nine')
})

test('an image that stands between texts, as Apple writes it, stands there in the HTML', () => {
  const html = (text: string) => `Content-Type: text/html\n\n<body><div>${text}</div></body>`
  const picture = `Content-Type: image/png; name=a.png\nContent-ID: <of-apple>\nContent-Disposition: inline; filename=a.png\nContent-Transfer-Encoding: base64\n\n${image}`
  const mixed = multipart('multipart/mixed', 'b', html('before'), picture, html('after'))
  const mail = read(multipart('multipart/alternative', 'a', 'Content-Type: text/plain\n\nbefore\n\nafter', mixed))

  const [file] = mail.files
  assert.match(file?.contentId ?? '', /^place-/)
  const places = ['before', `src="cid:${file!.contentId}"`, 'after'].map(words => mail.html!.indexOf(words))
  assert.ok(places[0]! >= 0 && places[0]! < places[1]! && places[1]! < places[2]!, mail.html)
  assert.equal(mail.text, 'before\n\nafter')
  const named = `Content-Type: text/html\n\n<p><img src="cid:of-apple"></p>`
  assert.equal(read(multipart('multipart/related', 'r', named, picture)).files[0]?.contentId, 'of-apple')
})

test('a mail that is a calendar entry alone says what and when', () => {
  const calendar = (method: string, ...lines: string[]) =>
    read(
      `Content-Type: text/calendar; method=${method}\n\n${['BEGIN:VCALENDAR', `METHOD:${method}`, 'BEGIN:VTIMEZONE', 'DTSTART:19700101T000000', 'END:VTIMEZONE', 'BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n')}`
    )

  const invited = calendar(
    'REQUEST',
    'SUMMARY;LANGUAGE=en:Repair\\, of the',
    '  printer',
    'DTSTART;TZID="Europe/Berlin":20261125T090000',
    'LOCATION:Room 5',
    'DESCRIPTION:Please come\\nin time'
  )
  const answered = calendar('REPLY', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:a@b.example', 'DTSTART;VALUE=DATE:20261125')

  assert.equal(
    invited.text,
    '[Calendar invitation: Repair, of the printer; 2026-11-25 09:00 Europe/Berlin; Room 5]\n\nPlease come\nin time'
  )
  assert.equal(answered.text, '[Calendar reply: accepted; 2026-11-25]')
  assert.deepEqual(
    invited.files.map(({ name }) => name),
    ['invite.ics']
  )
  assert.equal(read('Content-Type: text/calendar\n\nnothing').text, '')
})

test('a mail within its own S/MIME signature is read, in one piece and in several, and what is broken stays a file', () => {
  const mail = Buffer.from('Content-Type: text/plain; charset=utf-8\r\n\r\nGrüße, signed.\r\n')
  const value = (tag: number, ...contents: (Buffer | number[])[]) => {
    const content = Buffer.concat(contents.map(each => Buffer.from(each)))
    return Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 255]), content])
  }
  /** Of indefinite length, as when it is streamed. */
  const streamed = (tag: number, ...contents: Buffer[]) =>
    Buffer.concat([Buffer.from([tag, 0x80]), ...contents, Buffer.from([0, 0])])
  const oid = (last: number) => value(0x06, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, last])
  const enclosing = (content: Buffer, wrap: typeof streamed) => {
    const signed = wrap(0x30, value(0x02, [1]), value(0x31), wrap(0x30, oid(1), wrap(0xa0, content)), value(0x31))
    return wrap(0x30, oid(2), wrap(0xa0, signed))
  }
  const readSigned = (bytes: Buffer) =>
    read(
      `Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\nContent-Transfer-Encoding: base64\n\n${bytes.toString('base64')}`
    )

  const whole = enclosing(value(0x04, mail), value)
  const pieces = enclosing(streamed(0x24, value(0x04, mail.subarray(0, 20)), value(0x04, mail.subarray(20))), streamed)

  for (const bytes of [whole, pieces]) {
    const { text, files } = readSigned(bytes)
    assert.deepEqual([text, files.length], ['Grüße, signed.', 0], bytes.toString('hex'))
  }
  for (let length = 0; length < whole.length - mail.length; length += 5)
    assert.equal(readSigned(whole.subarray(0, length)).text, '', String(length))
})

test('lines that Outlook writes as paragraphs are lines, and its empty ones are empty lines', () => {
  const lines = ['Thanks.', '&nbsp;', 'Best regards', 'Ada'].map(line => `<p class=MsoNormal>${line}</p>`)

  assert.equal(read(`Content-Type: text/html\n\n${lines.join('')}`).text, 'Thanks.\n\nBest regards\nAda')
})
