import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unreadable } from './mime-parts.ts'
import { readMail } from './read-mail.ts'

const mail = `From: =?utf-8?Q?J=C3=B6rg?= <a@b.c>
To: x@y.z, "A, B" <c@d.e>
Subject: =?iso-8859-1?B?R3L8?= x
Message-ID: <a@b>
References: <c@d> <e@f>
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: multipart/alternative; boundary=c

--c
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Hello =C3=BC

On Mon, May 6, 2024 at 10:00 A <a@b.c> wrote:
> x
--c
Content-Type: text/html; charset=windows-1252

<p>Hi<img src="cid:1"><blockquote>q</blockquote></p>
--c--
--b
Content-Type: application/ms-tnef; name=winmail.dat
Content-Transfer-Encoding: base64

eJ8+IgAAAAQCAAAA
--b
Content-Type: message/delivery-status

Final-Recipient: rfc822; a@b.c
Action: failed
Status: 5.1.1

--b
Content-Disposition: attachment; filename*0*=UTF-8''%C3%9C; filename*1=x.pdf
Content-Transfer-Encoding: base64

QUJD
--b--
`
const bits = [
  '\n\n',
  '\n',
  '--b',
  '--b--',
  '--c',
  '\r',
  '\0',
  '=?utf-8?Q?',
  '?=',
  '"',
  '<',
  '>',
  '(',
  ')',
  ';',
  ':',
  '=',
  '%',
  '\xff',
  '\xc3',
  '\x1b$B'
]
const parts = [
  'Content-Type: multipart/mixed; boundary=b\n',
  'Content-Type: text/html\n\n',
  '<div>',
  '</div>',
  '<!--',
  'charset=utf-7',
  'charset=utf-16',
  'begin 644 x\n',
  '> ',
  'From: a@b.c\nSent: x\nTo: y\n'
]
const pieces = [...bits, ...parts].map(piece => Buffer.from(piece, 'latin1'))

/** The same pseudo-random numbers each time. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return state % below
  }
}

test('whatever is cut out of a mail, put into it or doubled, it is read or refused, and no NUL comes of it', () => {
  const next = numbers(42)
  for (let turn = 0; turn < 2_000; turn++) {
    let bytes = Buffer.from(mail)
    for (let change = 1 + next(12); change > 0; change--) bytes = mutated(bytes, next)
    try {
      const { text, subject } = readMail(bytes, { sender: undefined, recipient: undefined })
      assert.ok(!`${text}${subject}`.includes('\0'))
    } catch (error) {
      assert.ok(error instanceof Unreadable, `turn ${turn}: ${error}`)
    }
  }
})

function mutated(bytes: Buffer<ArrayBuffer>, next: (below: number) => number): Buffer<ArrayBuffer> {
  const at = next(bytes.length + 1)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  const piece = pieces[next(pieces.length)]!
  switch (next(4)) {
    case 0:
      return Buffer.concat([before, piece, after])
    case 1:
      return Buffer.concat([before, after.subarray(next(60))])
    case 2:
      return Buffer.concat([before, bytes.subarray(next(bytes.length + 1)).subarray(0, next(200)), after])
    default:
      return Buffer.concat([before, ...Array.from({ length: next(200) }, () => piece), after])
  }
}
