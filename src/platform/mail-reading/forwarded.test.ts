import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMail } from './read-mail.ts'

const nobody = { sender: undefined, recipient: undefined }

function read(body: string, headers = 'Subject: Fwd: Lost\nContent-Type: text/plain; charset=utf-8') {
  const raw = `From: Mira <mira@desk.example>\nTo: s@d.example\nMessage-ID: <x@y>\n${headers}\n\n${body}`
  const { forwarded } = readMail(Buffer.from(raw), nobody)
  if (!forwarded) return undefined
  const { from, subject, text, quoted, above, files } = forwarded
  return { from: `${from.name} <${from.email}>`, subject, text, quoted, above, files: files?.map(({ name }) => name) }
}

const rosa = {
  from: 'Rosa Luxemburg <rosa@example.org>',
  subject: 'Lost key',
  text: 'I lost my key.\n\nRosa',
  quoted: '',
  files: undefined
}
const forms: Record<string, string> = {
  'Gmail, English':
    '---------- Forwarded message ---------\nFrom: Rosa Luxemburg <rosa@example.org>\nDate: Mon, 2 Nov 2026 at 10:00\nSubject: Lost key\nTo: <mira@desk.example>\n\n\nI lost my key.\n\nRosa\n',
  'Gmail, German':
    '---------- Weitergeleitete Nachricht ---------\nVon: Rosa Luxemburg <rosa@example.org>\nDate: Mo., 2. Nov. 2026 um 10:00 Uhr\nSubject: Lost key\nTo: <mira@desk.example>\n\n\nI lost my key.\n\nRosa\n',
  'Outlook, English':
    '________________________________\nFrom: Rosa Luxemburg <rosa@example.org>\nSent: Monday, November 2, 2026 10:00 AM\nTo: Mira <mira@desk.example>\nCc: Someone <a@b.example>;\nOther <b@b.example>\nSubject: Lost key\n\nI lost my key.\n\nRosa\n',
  'Outlook, German':
    'Von: Rosa Luxemburg <rosa@example.org>\nGesendet: Montag, 2. November 2026 10:00\nAn: Mira <mira@desk.example>\nBetreff: Lost key\n\nI lost my key.\n\nRosa\n',
  'Outlook of old':
    '-----Ursprüngliche Nachricht-----\nVon: Rosa Luxemburg [mailto:rosa@example.org]\nGesendet: Montag, 2. November 2026 10:00\nAn: Mira\nBetreff: Lost key\n\nI lost my key.\n\nRosa\n',
  'Outlook, bold':
    '*From:* Rosa Luxemburg <rosa@example.org>\n*Sent:* Monday, November 2, 2026 10:00 AM\n*To:* Mira\n*Subject:* Lost key\n\nI lost my key.\n\nRosa\n',
  'Apple Mail, English':
    'Begin forwarded message:\n\n> From: Rosa Luxemburg <rosa@example.org>\n> Subject: Lost key\n> Date: 2. November 2026 at 10:00:00 CET\n> To: mira@desk.example\n> \n> I lost my key.\n> \n> Rosa\n',
  'Apple Mail, German':
    'Anfang der weitergeleiteten Nachricht:\n\nVon: Rosa Luxemburg <rosa@example.org>\n\nBetreff: Lost key\n\nDatum: 2. November 2026 um 10:00:00 MEZ\n\nAn: mira@desk.example\n\nI lost my key.\n\nRosa\n',
  'Thunderbird, English':
    '-------- Forwarded Message --------\nSubject: \tLost key\nDate: \tMon, 2 Nov 2026 10:00:00 +0100\nFrom: \tRosa Luxemburg <rosa@example.org>\nTo: \tmira@desk.example\n\n\n\nI lost my key.\n\nRosa\n',
  'Thunderbird, German':
    '-------- Weitergeleitete Nachricht --------\nBetreff: \tLost key\nDatum: \tMon, 2 Nov 2026 10:00:00 +0100\nVon: \tRosa Luxemburg <rosa@example.org>\nAn: \tmira@desk.example\n\n\n\nI lost my key.\n\nRosa\n',
  'a table, its values below their names':
    '-------- Forwarded Message --------\nSubject:\nLost key\nDate:\nMon, 2 Nov 2026 10:00:00 +0100\nFrom:\nRosa Luxemburg <rosa@example.org>\nTo:\nmira@desk.example\n\nI lost my key.\n\nRosa\n'
}

for (const [name, form] of Object.entries(forms)) {
  test(`who wrote a mail that is passed on, what they wrote and what stands above it: ${name}`, () => {
    const subject = name.includes('German') ? 'WG: Lost key' : 'FW: Lost key'
    const headers = `Subject: ${subject}\nContent-Type: text/plain; charset=utf-8`

    assert.deepEqual(read(`Can you help her?\n\n-- \nMira, the desk\n\n${form}`, headers), {
      ...rosa,
      above: 'Can you help her?'
    })
    assert.deepEqual(read(form, headers), { ...rosa, above: '' })
  })
}

const htmlForms: Record<string, string> = {
  Outlook:
    '<p class=MsoNormal>Can you help her?</p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class=MsoNormal><b>From:</b> Rosa Luxemburg &lt;rosa@example.org&gt; <br><b>Sent:</b> Monday, November 2, 2026 10:00 AM<br><b>To:</b> Mira &lt;mira@desk.example&gt;<br><b>Subject:</b> Lost key</p></div><p class=MsoNormal>I lost my key.</p>',
  'Outlook on the web, German':
    '<div>Can you help her?</div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000"><b>Von:</b> Rosa Luxemburg &lt;rosa@example.org&gt;<br><b>Gesendet:</b> Montag, 2. November 2026 10:00<br><b>An:</b> Mira &lt;mira@desk.example&gt;<br><b>Betreff:</b> Lost key</font><div>&nbsp;</div></div><div>I lost my key.</div>',
  Gmail:
    '<div dir="ltr">Can you help her?<br><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>From: <strong class="gmail_sendername" dir="auto">Rosa Luxemburg</strong> <span dir="auto">&lt;<a href="mailto:rosa@example.org">rosa@example.org</a>&gt;</span><br>Date: Mon, Nov 2, 2026 at 10:00 AM<br>Subject: Lost key<br>To:  &lt;mira@desk.example&gt;<br></div><br><br><div dir="ltr">I lost my key.</div></div></div>',
  'Thunderbird, German':
    '<p>Can you help her?</p><div class="moz-forward-container"><br><br>-------- Weitergeleitete Nachricht --------<table class="moz-email-headers-table" cellspacing="0" cellpadding="0" border="0"><tbody><tr><th valign="BASELINE" nowrap="nowrap" align="RIGHT">Betreff: </th><td>Lost key</td></tr><tr><th align="RIGHT">Datum: </th><td>Mon, 2 Nov 2026 10:00:00 +0100</td></tr><tr><th align="RIGHT">Von: </th><td>Rosa Luxemburg &lt;rosa@example.org&gt;</td></tr><tr><th align="RIGHT">An: </th><td>mira@desk.example</td></tr></tbody></table><br><br>I lost my key.</div>',
  'Apple Mail':
    '<html><body>Can you help her?<br><div><br><blockquote type="cite"><div>Begin forwarded message:</div><br class="Apple-interchange-newline"><div style="margin:0"><span style="font-family:x"><b>From: </b></span><span>Rosa Luxemburg &lt;<a href="mailto:rosa@example.org">rosa@example.org</a>&gt;<br></span></div><div><span><b>Subject: </b></span><span><b>Lost key</b><br></span></div><div><span><b>Date: </b></span><span>2 November 2026 at 10:00:00 CET<br></span></div><div><span><b>To: </b></span><span>mira@desk.example<br></span></div><br><div><div>I lost my key.</div></div></blockquote></div></body></html>'
}

for (const [name, form] of Object.entries(htmlForms)) {
  test(`a mail that is passed on as HTML alone is taken apart as well: ${name}`, () => {
    const headers = `Subject: ${name.includes('German') ? 'WG' : 'Fwd'}: Lost key\nContent-Type: text/html; charset=utf-8`

    assert.deepEqual(read(form, headers), { ...rosa, text: 'I lost my key.', above: 'Can you help her?' })
  })
}

test('a mail that is passed on as a file is read with its own words and files', () => {
  const inner =
    'From: Rosa Luxemburg <rosa@example.org>\nSubject: Lost key\nIn-Reply-To: <a@b>\nContent-Type: multipart/mixed; boundary=i\n\n--i\n\nI lost my key.\n\nRosa\n--i\nContent-Type: text/csv; name=keys.csv\n\na,b\n--i--\n'
  const part = (content: string) =>
    `--o\nContent-Type: message/rfc822\nContent-Disposition: attachment; filename=x.eml\n\n${content}\n`
  const headers = 'Subject: See this\nContent-Type: multipart/mixed; boundary=o'
  const above = '--o\nContent-Type: text/plain\n\nCan you help her?\n'

  assert.deepEqual(read(`${above}${part(inner)}--o--\n`, headers), {
    ...rosa,
    files: ['keys.csv'],
    above: 'Can you help her?'
  })
  assert.equal(read(`${above}${part(inner)}${part(inner)}--o--\n`, headers), undefined)
  assert.equal(read(`${above}${part('Subject: no sender\n\nx')}--o--\n`, headers), undefined)
})

test('where no address of a sender stands in a head, nobody is taken for the writer', () => {
  for (const body of [
    'From: Rosa\nSent: Monday\nTo: Mira\nSubject: Lost key\n\nI lost my key.\n',
    'Please write to rosa@example.org\nFrom: rosa@example.org is all I know.\n',
    '---------- Forwarded message ---------\n\nI lost my key.\n',
    'See the file.\n'
  ])
    assert.equal(read(body), undefined, body)
})

test('heads that are none, by the thousand, are passed over in time', () => {
  const pieces = ['> From:\n> \n', '-----Original Message-----\n', 'Subject:\nFrom:\n', '\n']

  for (const piece of pieces) {
    const { found, cpuSeconds } = measured(() => read(piece.repeat(100_000)))

    assert.equal(found, undefined, piece)
    assert.ok(cpuSeconds < mostCpuSeconds, `${piece}: ${cpuSeconds} s`)
  }
})

test('a head of a thousand senders is one of the first, and what follows stays its text', () => {
  const line = 'From: a@b.example\n'

  const { found, cpuSeconds } = measured(() => read(line.repeat(100_000)))

  assert.equal(found?.from, ' <a@b.example>')
  assert.equal(`${found?.text}\n`, line.repeat(100_000 - 40))
  assert.ok(cpuSeconds < mostCpuSeconds, `${cpuSeconds} s`)
})

/** Ten times what it takes; were each head looked for again at each line, it would take minutes. */
const mostCpuSeconds = 5

/** The processor's time, which other work on the machine does not prolong. */
function measured<T>(work: () => T): { found: T; cpuSeconds: number } {
  const before = process.cpuUsage()
  const found = work()
  const { user, system } = process.cpuUsage(before)
  return { found, cpuSeconds: (user + system) / 1_000_000 }
}
