import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodedText } from './charset.ts'
import { headerText, parameterized, parameterText } from './headers.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

const labelled: [label: string | undefined, bytes: Buffer, text: string][] = [
  ['utf-8', Buffer.from('Grüße €'), 'Grüße €'],
  ['UTF8', Buffer.from('Grüße'), 'Grüße'],
  ["'utf-8'", Buffer.from('Grüße'), 'Grüße'],
  ['iso-8859-2', bytes('\xb3\xf3d\xbc'), 'łódź'],
  ['iso-8859-15', bytes('\xa4'), '€'],
  ['"windows-1251"', bytes('\xcf\xf0\xe8\xe2\xe5\xf2'), 'Привет'],
  ['koi8-r', bytes('\xf0\xd2\xc9\xd7\xc5\xd4'), 'Привет'],
  ['koi8-u', bytes('\xf0\xd2\xc9\xd7\xa6\xd4'), 'Привіт'],
  ['iso-2022-jp', bytes('\x1b$B$3$s$K$A$O\x1b(B'), 'こんにちは'],
  ['shift_jis', bytes('\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd'), 'こんにちは'],
  ['euc-jp', bytes('\xa4\xb3\xa4\xf3\xa4\xcb\xa4\xc1\xa4\xcf'), 'こんにちは'],
  ['gb2312', bytes('\xc4\xe3\xba\xc3'), '你好'],
  ['big5', bytes('\xa7A\xa6n'), '你好'],
  ['ks_c_5601-1987', bytes('\xbe\xc8\xb3\xe7'), '안녕'],
  ['iso-2022-kr', bytes('\x1b$)C\x0e>H3g\x0f'), '안녕'],
  ['hz-gb-2312', bytes('~{<:Ky2;S{~}!'), '己所不欲!'],
  ['utf-7', bytes('Gr+APwA3w-e'), 'Grüße'],
  ['cp850', bytes('Gr\x81\xe1e'), 'Grüße'],
  ['ibm437', bytes('Gr\x81\xe1e'), 'Grüße'],
  ['macintosh', bytes('Gr\x9f\xa7e'), 'Grüße'],
  ['iso-8859-8-i', bytes('\xf9\xec\xe5\xed'), 'שלום'],
  ['windows-1256', bytes('\xe3\xd1\xcd\xc8\xc7'), 'مرحبا'],
  ['iso-8859-7', bytes('\xc3\xe5\xe9\xe1'), 'Γεια'],
  ['tis-620', bytes('\xca\xc7\xd1\xca\xb4\xd5'), 'สวัสดี'],
  ['iso-8859-9', bytes('\xdeu'), 'Şu'],
  ['utf-16', Buffer.from('\ufeffGrüße', 'utf16le'), 'Grüße'],
  ['utf-16le', Buffer.from('Grüße', 'utf16le'), 'Grüße']
]

test('every charset that mail has is read', () => {
  for (const [label, given, text] of labelled) assert.equal(decodedText(given, label), text, label)
})

const mislabelled: typeof labelled = [
  ['iso-8859-1', bytes('\x80 \x93q\x94'), '€ “q”'],
  ['iso-8859-1', Buffer.from('Grüße aus München'), 'Grüße aus München'],
  ['windows-1252', Buffer.from('naïve – “x”'), 'naïve – “x”'],
  ['gb18030', Buffer.from('你好，世界'), '你好，世界'],
  ['iso-8859-2', bytes('\x9c \xb3\xf3d\x9f'), 'ś łódź'],
  ['us-ascii', Buffer.from('Grüße'), 'Grüße'],
  ['us-ascii', bytes('Gr\xfc\xdfe'), 'Grüße'],
  ['utf-8', bytes('Gr\xfc\xdfe an alle'), 'Grüße an alle'],
  ['utf-8', Buffer.concat([Buffer.from('Grüße ok ok '), bytes('\xfc')]), 'Grüße ok ok ü'],
  ['no-such-charset', Buffer.from('Grüße'), 'Grüße'],
  [undefined, bytes('Gr\xfc\xdfe an alle'), 'Grüße an alle'],
  [undefined, bytes('\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0'), 'Привет, как дела'],
  [undefined, bytes('\xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1'), 'Привет, как дела'],
  [undefined, bytes('\x1b$B$3$s$K$A$O\x1b(B'), 'こんにちは'],
  [undefined, bytes('\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd\x81A\x90\xa2\x8aE'), 'こんにちは、世界'],
  [
    undefined,
    bytes('\xc4\xe3\xba\xc3\xa3\xac\xb4\xf2\xd3\xa1\xbb\xfa\xce\xde\xb7\xa8\xca\xb9\xd3\xc3'),
    '你好，打印机无法使用'
  ],
  [
    'iso-2022-jp',
    bytes('\xbc\xa1\xa4\xce\xa4\xa2\xa4\xc6\xc0\xe8\xa4\xd8\xa4\xce\xa5\xe1\xa5\xc3\xa5\xbb\xa1\xbc\xa5\xb8'),
    '次のあて先へのメッセージ'
  ],
  ['utf-8', bytes('\xef\xbb\xbfabc'), 'abc']
]

test('labels that lie, and none at all, do not make a text unreadable', () => {
  for (const [label, given, text] of mislabelled) assert.equal(decodedText(given, label), text, `${label} ${text}`)
})

test('encoded words are read, cut within a character, in quotes, with blanks, of wrong charsets, beside raw bytes', () => {
  const values: [string, string][] = [
    ['=?UTF-8?Q?Gr=C3=BC=C3=9Fe_aus?= =?UTF-8?Q?_K=C3=B6ln?=', 'Grüße aus Köln'],
    ['=?utf-8?B?R3LDvMOf?= =?utf-8?B?ZQ==?=', 'Grüße'],
    ['=?utf-8?Q?Gr=C3?= =?utf-8?Q?=BC=C3=9Fe?=', 'Grüße'],
    ['=?iso-8859-1?q?Gr=FC=DFe?= plain', 'Grüße plain'],
    ['=?utf-8?Q?Hello world?= x', 'Hello world x'],
    ['Gr\xfc\xdfe', 'Grüße'],
    ['Wilhelmsen H\xe5vard', 'Wilhelmsen Håvard'],
    ['Forma\xe7\xe3o: Campanha de Ver\xe3o', 'Formação: Campanha de Verão'],
    ['Outlook\x90\xdd\x92\xe8\x82\xcc\x95\xfb\x96@', 'Outlook設定の方法'],
    [bytes(Buffer.from('Grüße').toString('latin1')).toString('latin1'), 'Grüße'],
    ['=?gb2312?B?xOO6ww==?=', '你好'],
    ['=?ISO-2022-JP?B?GyRCJDMkcyRLJEEkTxsoQg==?=', 'こんにちは'],
    ['=?ISO-2022-JP?B?GyRCJDMkcxsoQg==?=\r\n =?ISO-2022-JP?B?GyRCJEskQSRPGyhC?=', 'こんにちは'],
    ['=?us-ascii?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
    ['=?unknown?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
    ['a =?utf-8?q?=00b?= c', 'a b c'],
    ['"=?utf-8?Q?Gr=C3=BC=C3=9Fe?="', '"Grüße"'],
    ['=?utf-8?Q?What??=', 'What?'],
    ['=?utf-8*en?Q?abc?=', 'abc'],
    ['=?UTF-8?b?w6TDtsO8', '=?UTF-8?b?w6TDtsO8'],
    ['a\r\nBcc: b', 'a Bcc: b']
  ]
  for (const [value, text] of values) assert.equal(headerText(value), text)
})

test('parameters are read in pieces, percent-encoded, quoted and not', () => {
  const names: [string, string][] = [
    ["attachment; filename*=UTF-8''%C3%9Cber.pdf", 'Über.pdf'],
    ["attachment; filename*0*=UTF-8''%C3%9C; filename*1=ber; filename*2*=%20x.pdf", 'Über x.pdf'],
    ["attachment; filename*=iso-8859-1'en'%DCber.pdf", 'Über.pdf'],
    ['attachment; filename*1="long.pdf"; filename*0="very"', 'verylong.pdf'],
    ['attachment; filename="a;b.pdf"', 'a;b.pdf'],
    ['attachment; filename=a b.pdf', 'a b.pdf'],
    ['attachment; filename="photo(1).jpg"', 'photo(1).jpg'],
    ['attachment; filename="say \\"hi\\".pdf"', 'say "hi".pdf']
  ]
  for (const [value, name] of names) assert.equal(parameterized(value).parameters.filename, name, value)
  const decoded: [string, string][] = [
    ["attachment; filename*=iso-8859-1''%C4%E4%D6%F6%DC%FC.png", 'ÄäÖöÜü.png'],
    ["attachment; filename*=UTF-8''%C5%BC%C3%B3%C5%82%C4%87.png", 'żółć.png'],
    ["attachment; filename*=UTF-8''a%E2%82%AC%E2%80%AEfdp.exe", 'a€fdp.exe'],
    ['attachment; filename="=?utf-8?Q?=C3=9Cber?=.pdf"', 'Über.pdf'],
    ['attachment; filename="\xdcber.pdf"', 'Über.pdf']
  ]
  for (const [value, name] of decoded) assert.equal(parameterText(parameterized(value), 'filename'), name, value)
})
