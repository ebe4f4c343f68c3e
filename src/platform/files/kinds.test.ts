import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedKind, cleanFileName } from './kinds.ts'

test('images, videos, audio, PDF, documents, text and archives are accepted by extension alone', () => {
  const names = [
    'a.jpg a.PNG a.gif a.webp a.heic a.svg a.mp4 a.mov a.webm a.mp3 a.wav a.ogg a.pdf a.doc a.docx a.xls a.xlsx a.ppt a.pptx',
    'a.odt a.ods a.rtf a.pages a.txt a.log a.csv a.md a.json a.xml a.eml a.msg a.zip a.rar a.7z a.tar a.gz a.tgz a.tar.gz'
  ].flatMap(row => row.split(' '))

  const refused = names.filter(name => acceptedKind(name, 'application/octet-stream') === undefined)

  assert.deepEqual(refused, [])
})

test('a file without a telling extension is accepted by its declared type', () => {
  assert.deepEqual(acceptedKind('screenshot', 'image/png'), { extension: 'png', fileType: 'image/png' })
  assert.deepEqual(acceptedKind('notes.draft', 'text/plain'), { extension: 'txt', fileType: 'text/plain' })
  assert.deepEqual(acceptedKind('camera.xyz', 'image/x-unheard-of'), {
    extension: 'bin',
    fileType: 'image/x-unheard-of'
  })
})

test('the declared type is kept in lower case and without parameters', () => {
  assert.deepEqual(acceptedKind('a.CSV', 'Text/Plain; charset=utf-8'), { extension: 'csv', fileType: 'text/plain' })
})

test('a declared type that is none, not accepted or too long gives way to that of the extension', () => {
  const declared = [
    '',
    'nonsense',
    'application/octet-stream',
    'text/html',
    'image/png\r\nX: y',
    `image/${'x'.repeat(95)}`
  ]

  for (const type of declared) assert.equal(acceptedKind('a.pdf', type)?.fileType, 'application/pdf', type)
})

test('what would run or render is refused whatever its declared type', () => {
  const names = 'a.exe a.JS a.bat a.msi a.sh a.html a.hta a.lnk a.jar a.ps1 a.iso a.png.exe a.exe. .exe a.exe\u202e'

  const accepted = [...names.split(' '), 'a.exe ', 'a.exe. '].filter(name => acceptedKind(name, 'image/png'))

  assert.deepEqual(accepted, [])
})

test('what neither extension nor declared type recommends is refused', () => {
  assert.equal(acceptedKind('a', ''), undefined)
  assert.equal(acceptedKind('a.xyz', 'application/octet-stream'), undefined)
  assert.equal(acceptedKind('a', 'text/html'), undefined)
  assert.equal(acceptedKind('a', 'application/javascript'), undefined)
  assert.equal(acceptedKind('constructor.constructor', '__proto__'), undefined)
})

test('a file name is its base name, whichever way its directories are written', () => {
  assert.equal(cleanFileName('../../etc/passwd'), 'passwd')
  assert.equal(cleanFileName('C:\\fakepath\\Rechnung März.pdf'), 'Rechnung März.pdf')
})

test('a file name holds no control and no text-direction characters', () => {
  assert.equal(cleanFileName('a\u0000b\r\nc\u007f\u0085\u2028d\u202egnp.exe'), 'abcdgnp.exe')
})

test('a name that is nothing, or only dots of the file system, becomes "file"', () => {
  const names = ['', ' ', '.', '..', 'folder/', 'folder/..', '\u202e', '.\u0000.', ' .. ']

  for (const name of names) assert.equal(cleanFileName(name), 'file', JSON.stringify(name))
})

test('an over-long name is cut to 255 characters, not half characters, and keeps its extension', () => {
  const cut = cleanFileName(`${'😀'.repeat(300)}.pdf`)

  assert.equal(cut, `${'😀'.repeat(251)}.pdf`)
  assert.equal(cleanFileName('a'.repeat(255)), 'a'.repeat(255))
  assert.equal([...cleanFileName(`a.${'b'.repeat(300)}`)].length, 255)
})

test('half a surrogate pair, which no database takes, is replaced', () => {
  assert.equal(cleanFileName('a\ud83d.png'), 'a\ufffd.png')
})
