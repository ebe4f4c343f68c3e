import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMail } from './read-mail.ts'
import { separateQuotes } from './separate-quotes.ts'

const attributions: Record<string, string> = {
  en: 'On Mon, May 6, 2024 at 10:00 AM Support <s@d.example> wrote:',
  de: 'Am Mo., 6. Mai 2024 um 10:00 Uhr schrieb Support <s@d.example>:',
  de2: 'Am 06.05.24 um 10:00 schrieb Support:',
  fr: 'Le lun. 6 mai 2024 à 10:00, Support <s@d.example> a écrit :',
  es: 'El lun, 6 may 2024 a las 10:00, Support (<s@d.example>) escribió:',
  it: 'Il giorno lun 6 mag 2024 alle ore 10:00 Support <s@d.example> ha scritto:',
  pt: 'Em seg., 6 de mai. de 2024 às 10:00, Support <s@d.example> escreveu:',
  nl: 'Op ma 6 mei 2024 om 10:00 schreef Support <s@d.example>:',
  sv: 'Den mån 6 maj 2024 kl 10:00 skrev Support <s@d.example>:',
  da: 'Den man. 6. maj 2024 kl. 10.00 skrev Support <s@d.example>:',
  no: 'man. 6. mai 2024 kl. 10:00 skrev Support <s@d.example>:',
  fi: 'ma 6. toukok. 2024 klo 10.00 Support (s@d.example) kirjoitti:',
  pl: 'pon., 6 maj 2024 o 10:00 Support <s@d.example> napisał(a):',
  pl2: 'W dniu 06.05.2024 o 10:00, Support pisze:',
  cs: 'po 6. 5. 2024 v 10:00 odesílatel Support <s@d.example> napsal:',
  sk: 'po 6. 5. 2024 o 10:00 Support <s@d.example> napísal(a):',
  hu: 'Support <s@d.example> ezt írta (időpont: 2024. máj. 6., H, 10:00):',
  ro: 'În lun., 6 mai 2024 la 10:00, Support <s@d.example> a scris:',
  ru: 'пн, 6 мая 2024 г. в 10:00, Support <s@d.example>:',
  ru2: '6 мая 2024 г., 10:00 пользователь Support <s@d.example> написал:',
  uk: 'пн, 6 трав. 2024 р. о 10:00 Support <s@d.example> пише:',
  tr: 'Support <s@d.example>, 6 May 2024 Pzt, 10:00 tarihinde şunu yazdı:',
  el: 'Στις Δευ 6 Μαΐ 2024 στις 10:00 π.μ., ο χρήστης Support <s@d.example> έγραψε:',
  he: '‫בתאריך יום ב׳, 6 במאי 2024 ב-10:00 מאת ‪Support‬‏ <‪s@d.example‬‏>:‬',
  ar: 'في الاثنين، 6 مايو 2024 في 10:00 ص تمت كتابة ما يلي بواسطة Support <s@d.example>:',
  zh: 'Support <s@d.example> 于2024年5月6日周一 10:00写道：',
  zh2: '在 2024-05-06 10:00:00，Support <s@d.example> 写道：',
  ja: '2024年5月6日(月) 10:00 Support <s@d.example>:',
  ko: '2024년 5월 6일 (월) 오전 10:00, Support <s@d.example>님이 작성:',
  vi: 'Vào Th 2, 6 thg 5, 2024 vào lúc 10:00 Support <s@d.example> đã viết:',
  th: 'ในวันที่ จ. 6 พ.ค. 2024 เวลา 10:00 Support <s@d.example> เขียนว่า:',
  id: 'Pada tanggal Sen, 6 Mei 2024 pukul 10.00 Support <s@d.example> menulis:'
}
const heads: [string, string, string, string, string][] = [
  ['es', 'De', 'Enviado', 'Para', 'Asunto'],
  ['it', 'Da', 'Inviato', 'A', 'Oggetto'],
  ['pt', 'De', 'Enviada em', 'Para', 'Assunto'],
  ['nl', 'Van', 'Verzonden', 'Aan', 'Onderwerp'],
  ['sv', 'Från', 'Skickat', 'Till', 'Ämne'],
  ['da', 'Fra', 'Sendt', 'Til', 'Emne'],
  ['fi', 'Lähettäjä', 'Lähetetty', 'Vastaanottaja', 'Aihe'],
  ['pl', 'Od', 'Wysłano', 'Do', 'Temat'],
  ['cs', 'Od', 'Odesláno', 'Komu', 'Předmět'],
  ['ru', 'От', 'Отправлено', 'Кому', 'Тема'],
  ['tr', 'Kimden', 'Gönderildi', 'Kime', 'Konu'],
  ['zh', '发件人', '发送时间', '收件人', '主题'],
  ['ja', '差出人', '送信日時', '宛先', '件名'],
  ['ko', '보낸 사람', '보낸 날짜', '받는 사람', '제목'],
  ['hu', 'Feladó', 'Elküldve', 'Címzett', 'Tárgy'],
  ['ro', 'De la', 'Trimis', 'Către', 'Subiect'],
  ['el', 'Από', 'Στάλθηκε', 'Προς', 'Θέμα'],
  ['he', 'מאת', 'נשלח', 'אל', 'נושא'],
  ['uk', 'Від', 'Надіслано', 'Кому', 'Тема']
]

const reply = { isReply: true, isForward: false }

/** The new words of an answer. */
const fresh = (text: string) => separateQuotes(text, reply).text

for (const [language, attribution] of Object.entries(attributions)) {
  test(`what is quoted is folded above and below the answer: ${language}`, () => {
    const above = separateQuotes(`New words.\n\n${attribution}\n\n> old one\n> old two\n`, reply)
    const below = separateQuotes(`${attribution}\n> old one\n> old two\n\nNew words.\n`, reply)
    const unmarked = separateQuotes(`New words.\n\n${attribution}\n\nold one\nold two\n`, reply)

    for (const { text, quoted } of [above, below, unmarked]) {
      assert.equal(text, 'New words.')
      assert.match(quoted, /old one[\s\S]*old two/)
    }
  })
}

test('the heads of earlier mails are known in many languages', () => {
  for (const [language, from, sent, to, subject] of heads) {
    const head = `${from}: Support <s@d.example>\n${sent}: 2024-05-06 10:00\n${to}: Ada\n${subject}: x`
    assert.equal(fresh(`New.\n\n${head}\n\nold\n`), 'New.', language)
  }
  for (const line of [
    '-----Original Message-----',
    '-----Ursprüngliche Nachricht-----',
    '________________________________'
  ]) {
    assert.equal(fresh(`New.\n\n${line}\nFrom: Support\nSent: Monday\nTo: Ada\nSubject: x\n\nold\n`), 'New.', line)
  }
})

test('answers between quotes stay together, and a signature goes', () => {
  const { text, quoted } = separateQuotes(
    `${attributions.en}\n> q1\n> q1b\n\nAnswer one.\n\n> q2\n\nAnswer two.\n\n-- \nAda\n`,
    reply
  )

  assert.equal(text, 'Answer one.\n\nAnswer two.')
  assert.match(quoted, /> q2[\s\S]*Ada/)
})

test('an attribution may be broken into lines, and the line before it is not of it', () => {
  assert.equal(
    fresh('New.\n\nOn Mon, May 6, 2024 at 10:00 AM Support Team of the Desk\n<support@desk.example> wrote:\n\n> old\n'),
    'New.'
  )
  assert.equal(fresh(`New.\n${attributions.en}\n> old\n`), 'New.')
})

test('attributions are known as mailers really break and write them', () => {
  for (const attribution of [
    'Am 21.04.2016 17:48 schrieb "Support" <support-with-a-long-name@desk.example.com\n>:',
    'On Mon, May 6, 2024 at 10:00 AM Support <support-with-a-long-name@desk.example.com\n> wrote:',
    'On Nov 21, 2014,\nat 10:18,\nSupport <s@d.example> wrote:',
    '---- On Wed, 24 Feb 2021 14:02:50 +0530 s@d.example wrote ----',
    'On Wed, 14 Nov 2018 08:14:43 -0200 Support <s@d.example> wrote',
    '2013/7/20 Support of the Desk <s@d.example>',
    'Am Montag, 6. Mai 2024 um 10:00:00 MESZ hat Support <s@d.example> Folgendes geschrieben:',
    'Op maandag 6 mei 2024 om 10:00:00 CEST heeft Support <s@d.example> het volgende geschreven:',
    'Á mánudegi 6. maí 2024 kl. 10:00 Support <s@d.example> sagði þetta:',
    'Gesendet: Montag, 06. Mai 2024 um 10:00 Uhr\nVon: "Support" <s@d.example>\nAn: ada@c.example\nBetreff: x',
    'Wednesday, 17 November 2021, 3:32 PM +0300 from s@d.example <s@d.example>:',
    '====\nMessage du : 12/12/2016 13:20\nDe : "Support" <s@d.example>\nA : ada@c.example\nCopie à :\nSujet : x',
    '------------------------\n\nDate: Thu, 26 Jun 2014 13:53:45 +0400\nSubject: x\nFrom: s@d.example\nTo: ada@c.example'
  ])
    assert.equal(fresh(`New.\n\n${attribution}\n\n> old one\n> old two\n`), 'New.', attribution)
})

test('new words are never folded where it cannot be told', () => {
  const texts = [
    `What the log says:\n${'May 29 11:58:43 host kernel: Linux version 2.6.28 (buildd@palmer) (gcc 4.3.3) SMP 2009\nMay 29 11:58:43 host kernel: supported cpus:\nMay 29 11:58:43 host kernel: AMD\n'.repeat(3)}Why?`,
    'It comes late.\nSent from my desk, it is easier than by phone.',
    'My data:\n____\nName: Ada\nhttps://a.example',
    'The log says:\n\nhost mx.c.example [192.0.2.1]: 550 <ada@c.example>:\n  Destinatario desconocido\n\nWhy?',
    'The log says:\n\n2026-11-20 08:28:31 SMTP error after RCPT TO:<ada@c.example>:\n  no such user\n\nWhy?',
    'My data:\n\nDate: today\nFrom: Ada <ada@c.example>\nSubject: printer\n\nIt burns.',
    'My data:\n----\nDate: today\nSubject: printer\nTo: whom it concerns',
    'I wrote: hello.\nAnd 5 > 3.',
    '> a\n> b',
    'On 3 May 2024 you wrote:\nWe will call.\nNobody called.',
    '-----Original Message-----\nFrom: Support\nSent: Monday\nTo: Ada\nSubject: x\n\nold\n\nNew answer below.',
    'Please see my answers below.\n\nFrom: Support\nSent: Monday\nTo: Ada\nSubject: x\n\nWhich printer?\nThe red one.',
    `Points:\n--\n${'no signature is as long\n'.repeat(30)}`.trim()
  ]
  for (const text of texts) assert.deepEqual(separateQuotes(text, reply), { text, quoted: '' })
})

test('what programs add below is folded', () => {
  for (const line of [
    'Sent from my iPhone',
    'Von meinem iPhone gesendet',
    'Envoyé de mon iPhone',
    'Enviado desde mi iPhone',
    'Get Outlook for iOS',
    'iPhoneから送信',
    '(Sent from my mobile device)',
    'Get [Outlook for Android](https://aka.ms/ghei36)',
    'Sent via the Samsung Galaxy S21 5G, an AT&T 5G smartphone',
    '_______________________________________________\nusers mailing list\nusers@lists.example\nhttps://lists.example/users',
    '发自我的 iPhone'
  ]) {
    assert.equal(fresh(`New.\n\n${line}\n`), 'New.', line)
  }
})

test('of a text that is signed by PGP the words are shown', () => {
  const text =
    '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nNew.\n-----BEGIN PGP SIGNATURE-----\n\niD8DBQFG\n-----END PGP SIGNATURE-----'
  const { text: words, quoted } = separateQuotes(text, { isReply: false, isForward: false })

  assert.equal(words, 'New.')
  assert.match(quoted, /^-----BEGIN PGP SIGNED[\s\S]*END PGP SIGNATURE-----$/)
})

test('what is passed on is shown whole', () => {
  const text =
    'FYI\n\n---------- Forwarded message ---------\nFrom: X <x@y.example>\nDate: Mon\nSubject: s\nTo: z\n\ncontent'
  const mail = readMail(Buffer.from(`From: a@b.example\nSubject: Fwd: s\n\n${text}`), {
    sender: undefined,
    recipient: undefined
  })

  assert.deepEqual([mail.text, mail.quoted, mail.forwarded?.from.email], [text, '', 'x@y.example'])
})

test('hostile texts are folded in a moment', () => {
  const hostile = [
    '>'.repeat(600_000),
    ' '.repeat(600_000),
    `${' '.repeat(5_000)}x\n`.repeat(120),
    'On Mon 2024 wrote\n'.repeat(30_000),
    'From: a\n\n'.repeat(60_000),
    '-'.repeat(600_000),
    '--\n'.repeat(200_000),
    '--\n\n'.repeat(150_000),
    '-----\n'.repeat(100_000)
  ]
  for (const text of hostile) {
    const before = process.cpuUsage()
    separateQuotes(text, reply)
    assert.ok(process.cpuUsage(before).user < 2_000_000, text.slice(0, 20))
  }
})

test('in a mail that answers nothing, lines that look like a header are its own words', () => {
  for (const text of [
    'Kontaktanfrage\n\nVon: Max Muster <max@a.example>\nDatum: 20.11.2026\nBetreff: Drucker\n\nEr brennt.',
    'Please book:\nFrom: Hamburg\nTo: Berlin\nDate: Friday\n\nThanks, Ada',
    'A form was sent\n----------\nVon: Max\nAn: Support\nBetreff: Drucker\nEr brennt.'
  ]) {
    const { text: fresh, quoted } = separateQuotes(text, { isReply: false, isForward: false })
    assert.deepEqual([fresh, quoted], [text, ''])
  }
  const outlook = 'Yes.\n\nFrom: Support <s@d.example>\nSent: Friday\nTo: Ada\nSubject: Hello\n\nIs it?'
  assert.equal(separateQuotes(outlook, { isReply: true, isForward: false }).text, 'Yes.')
})
