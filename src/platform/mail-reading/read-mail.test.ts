import assert from 'node:assert/strict'
import { test } from 'node:test'
import PostalMime from 'postal-mime'
import { mailboxesIn } from './addresses.ts'
import { Unreadable } from './mime-parts.ts'
import { readMail } from './read-mail.ts'

const head = 'From: Ada <ada@example.com>\nTo: s@d.example\nMessage-ID: <x@y>\nSubject: x\n'
const nobody = { sender: undefined, recipient: undefined }

function read(rest: string, encoding: BufferEncoding = 'utf8') {
  return readMail(Buffer.from(head + rest, encoding), nobody)
}

const bytesOf = (text: string) => Buffer.from(text).toString('latin1')

test('an address is found in whatever a mailer writes into From', () => {
  const values: [string, string | undefined, string?][] = [
    ['Ada Lovelace <a@b.example>', 'a@b.example', 'Ada Lovelace'],
    ['"Lovelace, Ada" <a@b.example>', 'a@b.example', 'Lovelace, Ada'],
    ['Lovelace, Ada <a@b.example>', 'a@b.example', 'Lovelace, Ada'],
    ['a@b.example (Ada)', 'a@b.example', 'Ada'],
    ['<a@b.example', 'a@b.example'],
    ['Ada a@b.example', 'a@b.example', 'Ada'],
    ['"x@y.example" <a@b.example>', 'a@b.example'],
    ['Team: a@b.example, c@d.example;', 'a@b.example'],
    ['=?utf-8?Q?M=C3=BCller=2C_J=C3=B6rg?= <j@x.example>', 'j@x.example', 'Müller, Jörg'],
    ['Ada <mailto:a@b.example>', 'a@b.example'],
    ['"Unclosed <a@b.example>', 'a@b.example'],
    ['"a b"@c.example', '"a b"@c.example'],
    ['Ada <a@b.example> Bob <c@d.example>', 'a@b.example', 'Ada'],
    ['Ada <a@b.example<mailto:a@b.example>>', 'a@b.example', 'Ada'],
    ['Ada <a(her account)@b.example(her host)>', 'a@b.example', 'Ada'],
    [bytesOf('Marilù <marilù@esempio-università>'), 'marilù@esempio-università', 'Marilù'],
    [bytesOf('marilù@università'), 'marilù@università'],
    ['undisclosed-recipients:;', undefined],
    ['<>', undefined],
    ['no address here', undefined]
  ]
  for (const [value, email, name] of values) {
    const [found] = mailboxesIn(value)
    assert.equal(found?.email, email, value)
    if (name) assert.equal(found?.name, name, value)
  }
})

test('a multipart is read without a boundary, with a wrong one, without an end and without parts', () => {
  const part = '--abc\nContent-Type: text/plain\n\nhello\n'

  for (const [type, body] of [
    ['multipart/mixed', `${part}--abc--\n`],
    ['multipart/mixed; boundary=zzz', `${part}--abc--\n`],
    ['multipart/mixed; boundary=abc', `preamble\n${part}`],
    ['multipart/mixed; boundary=abc', 'hello\n'],
    ['multipart/mixed\n boundary=abc', `${part}--abc--\n`],
    ['multipart/*; boundary=abc', `${part}--abc--\n`],
    ['text/plain\nContent-Type: multipart/mixed; boundary=abc', `${part}--abc--\n`],
    ['multipart/mixed; boundary="abc "', `${part}--abc --\nepilogue\n`]
  ]) {
    assert.equal(read(`Content-Type: ${type}\n\n${body}`).text, 'hello', `${type} ${body}`)
  }
})

test('lines may end in CR alone, and a mailbox may have put its own line before', () => {
  const raw = `From ada@example.com Fri Nov 20 08:28:31 2026\n${head}\nhi\n>From here on\n`

  for (const each of [raw, raw.replaceAll('\n', '\r'), raw.replaceAll('\n', '\r\r\n')]) {
    const { text, from } = readMail(Buffer.from(each), nobody)
    assert.deepEqual([text, from?.email], ['hi\nFrom here on', 'ada@example.com'])
  }
})

test('a head ends at a line of blanks, where no header follows it', () => {
  assert.equal(read(' \nThe first words.\n\nMore: words.\n').text, 'The first words.\n\nMore: words.')
  assert.equal(read('X-Folded: a\n \n\tb\n \nX-More: c\n\nThe first words.\n').text, 'The first words.')
})

test('the last letter of a header is whole, also where half of it is a blank', () => {
  const { subject, files } = readMail(
    Buffer.from('From: a@b.c\nSubject: Novità\nContent-Type: application/pdf; name=perché à\n\nx'),
    nobody
  )

  assert.deepEqual([subject, files[0]?.name], ['Novità', 'perché à'])
})

test('a winmail.dat whose lengths are beyond all bounds is read as far as it goes', () => {
  const properties = Buffer.concat([uint32(1), uint32(0x1000_001e), uint32(2), uint32(0xa000_0000)])
  const attribute = Buffer.concat([Buffer.from([1, 0x03, 0x90, 0, 0]), uint32(properties.length), properties])
  const tnef = Buffer.concat([uint32(0x223e_9f78), Buffer.from([0, 0]), attribute, Buffer.from([0, 0])])
  const part = `--b\nContent-Type: application/ms-tnef\nContent-Transfer-Encoding: base64\n\n${tnef.toString('base64')}`

  const { text } = read(`Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n${part}\n--b--\n`)

  assert.equal(text, 'Hello')
})

test('what a winmail.dat has of which we can make no file, such as a drawn picture, stays in it', () => {
  const attribute = (id: number, data: Buffer) =>
    Buffer.concat([Buffer.from([2, id & 0xff, id >> 8, 0, 0]), uint32(data.length), data, Buffer.from([0, 0])])
  const property = (tag: number, content: Buffer) =>
    Buffer.concat([
      uint32(tag),
      uint32(1),
      uint32(content.length),
      content,
      Buffer.alloc((4 - (content.length % 4)) % 4)
    ])
  const properties = (...all: Buffer[]) => Buffer.concat([uint32(all.length), ...all])
  const file = (name: string, ...rest: Buffer[]) =>
    Buffer.concat([attribute(0x9002, Buffer.alloc(14)), attribute(0x8010, Buffer.from(`${name}\0`)), ...rest])
  const named = (...files: Buffer[]) => {
    const tnef = Buffer.concat([uint32(0x223e_9f78), Buffer.from([0, 0]), ...files])
    const part = `--b\nContent-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n${tnef.toString('base64')}`
    const mail = read(`Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n${part}\n--b--\n`)
    return [mail.text, mail.files.map(({ name }) => name)]
  }
  const plan = file('plan.txt', attribute(0x800f, Buffer.from('A plan')))
  const ole = file('Picture', attribute(0x9005, properties(property(0x3701_000d, Buffer.from('0123456789abcdefOLE')))))
  const binary = file('notes.txt', attribute(0x9005, properties(property(0x3701_0102, Buffer.from('Notes')))))

  assert.deepEqual(named(plan), ['Hello', ['plan.txt']])
  assert.deepEqual(named(plan, binary), ['Hello', ['plan.txt', 'notes.txt']])
  assert.deepEqual(named(plan, ole), ['Hello', ['plan.txt', 'winmail.dat']])
})

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

test('a picture that says it is text is a file', () => {
  const { text, files } = read('Content-Transfer-Encoding: base64\n\niVBORw0KGgoAAAANSUhEUgAAAIAAAACACAYAAADDPmHL\n')

  assert.deepEqual([text, files.map(({ name }) => name)], ['', ['image.png']])
})

test('what is called base64 and is words stays as it is', () => {
  const words = 'The first line of words\nand the second line\n'

  assert.equal(read(`Content-Transfer-Encoding: base64\n\n${words}`).text, words.trim())
})

test('base64 that was cut and escapes that are none are read as far as they go', () => {
  const cut = Buffer.from('Grüße cut here').toString('base64').slice(0, -3)

  assert.match(
    read(`Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${cut}`).text,
    /^Grüße cut h/
  )
  assert.equal(
    read(
      'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nGr=C3=BC=C3=9Fe=20=\nsoft =XX end='
    ).text,
    'Grüße soft =XX end'
  )
})

test('HTML whose head or title nobody closed is read', () => {
  for (const html of [
    '<html><head><title>x</title><body>Hello',
    '<html><head><style>p{}</style><p>Hello',
    '<title>Hello'
  ])
    assert.equal(read(`Content-Type: text/html\n\n${html}`).text, 'Hello', html)
})

test('HTML is made safe, and its text is read; images of others are not loaded, those that came with it are named', () => {
  const { text, html } = read(
    'Content-Type: text/html\n\n<style>p{}</style><p onclick="x()">Hello <b>Ada</b><script>alert(1)</script></p><div style="display:none">hidden</div>' +
      '<a href="javascript:alert(1)">x</a><img src="https://evil.example/1.gif" alt="pic"><img src="cid:a@b"><form><input></form>'
  )

  assert.equal(text, 'Hello Ada\n\nxpic[image]')
  assert.match(html!, /<img src="cid:a@b" ?\/>/)
  assert.doesNotMatch(html!, /script|onclick|evil|form|style>|hidden/)
})

test('what Gmail, Outlook, Apple and others quote in HTML is folded', () => {
  const attribution = 'On Mon, May 6, 2024 at 10:00 Support &lt;s@d.example&gt; wrote:'
  for (const body of [
    `<div>New.</div><div class="gmail_quote"><div class="gmail_attr">${attribution}<br></div><blockquote class="gmail_quote">old</blockquote></div>`,
    '<p>New.</p><div style="border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> S<br><b>Sent:</b> Monday<br><b>To:</b> A<br><b>Subject:</b> x</p></div><p>old</p>',
    `<div>New.</div><div><blockquote type="cite"><div>${attribution}</div><div>old</div></blockquote></div>`,
    '<div>New.</div><div name="quote"><b>Von:</b> S<br>old</div>',
    '<div>New.</div><div class="gmail_signature">-- <br>old</div>'
  ]) {
    const { text, quoted } = read(`In-Reply-To: <a@b>\nContent-Type: text/html\n\n${body}`)
    assert.equal(text, 'New.', body)
    assert.match(quoted, /old/)
  }
})

test('invitations, cards, passed on mails and files in winmail.dat are files; signatures are nothing', () => {
  const named = (type: string, content = 'x') =>
    read(
      `Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n--b\nContent-Type: ${type}\n\n${content}\n--b--`
    ).files.map(({ name }) => name)

  assert.deepEqual(named('text/calendar; method=REQUEST'), ['invite.ics'])
  assert.deepEqual(named('text/vcard'), ['contact.vcf'])
  assert.deepEqual(named('message/rfc822', 'Subject: inner\n\nbody'), ['inner.eml'])
  assert.deepEqual(named('application/pgp-signature; name=signature.asc'), [])
  assert.deepEqual(named('application/ms-tnef; name=winmail.dat', 'no TNEF at all'), ['winmail.dat'])
})

test('what is encrypted is said to be so, and its file is there', () => {
  const smime = read('Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n\nsealed')
  const pgp = read(
    'Content-Type: multipart/encrypted; boundary=b; protocol="application/pgp-encrypted"\n\n--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream; name=encrypted.asc\n\nsealed\n--b--'
  )

  for (const [mail, name] of [
    [smime, 'smime.p7m'],
    [pgp, 'encrypted.asc']
  ] as const) {
    assert.match(mail.text, /encrypted/)
    assert.deepEqual(
      mail.files.map(file => file.name),
      [name]
    )
  }
})

test('what is nested too deeply is not read, and takes no stack', () => {
  const nested = Array.from(
    { length: 20_000 },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`
  )

  assert.throws(() => read(nested.join('')), Unreadable)
})

test('of well-formed mails the text and the files are those that another reader finds', async () => {
  const raw =
    `${head}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=m\n\n--m\nContent-Type: multipart/alternative; boundary=a\n\n` +
    '--a\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nGr=C3=BC=C3=9Fe\n--a\nContent-Type: text/html\n\n<p>x</p>\n--a--\n' +
    `--m\nContent-Type: application/pdf; name="=?utf-8?Q?=C3=9Cber.pdf?="\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64\n\n${Buffer.from('content').toString('base64')}\n--m--\n`
  const other = await PostalMime.parse(raw)
  const { text, files, subject, from } = readMail(Buffer.from(raw), nobody)

  assert.deepEqual([text, subject, from?.email], [other.text?.trim(), other.subject, other.from?.address])
  assert.deepEqual(
    files.map(({ name, content }) => [name, Buffer.from(content).toString()]),
    other.attachments.map(({ filename, content }) => [filename, Buffer.from(content as ArrayBuffer).toString()])
  )
})

test('of two content types the one that shows the text counts', () => {
  for (const first of [
    'application/octet-stream',
    'text/calendar',
    'image/png',
    'message/rfc822',
    'multipart/mixed; boundary=x'
  ])
    for (const types of [`${first}\nContent-Type: text/plain`, `text/plain\nContent-Type: ${first}`])
      assert.equal(read(`Content-Type: ${types}\n\nHello\n`).text, 'Hello', types)
  const both = 'Content-Type: text/plain\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nHello\n--x--\n'
  assert.equal(read(both).text, 'Hello')
})

test('a link keeps where it leads to, in HTML and in text, and never leads to the desk', () => {
  const { text, html } = read(
    'Content-Type: text/html\n\n<p><a href="https://x.example/a?b=1">here</a> <a href="//x.example/b">there</a> <a href="www.x.example/c">that</a></p>'
  )

  assert.equal(text, 'here <https://x.example/a?b=1> there <https://x.example/b> that <https://www.x.example/c>')
  assert.match(html!, /href="https:\/\/x\.example\/b"[^>]*>there<\/a>.*href="https:\/\/www\.x\.example\/c"/)
})
