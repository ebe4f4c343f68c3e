import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from './support/desk.ts'
import { sendRaw } from './support/hostile-requests.ts'

const desk = await bootDesk()
const host = 'Host: desk\r\n'
const end = 'Connection: close\r\n\r\n'

// Written to a socket as they stand: what it is, the bytes, and the status that they come to.
const requests: [what: string, bytes: string, status: number][] = [
  ['something that is no HTTP', 'HELLO\r\n\r\n', 400],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['another version of HTTP', `POST /api/check HTTP/9.9\r\n${host}${end}`, 400],
  ['an unknown method', `STEAL /api/check HTTP/1.1\r\n${host}${end}`, 400],
  ['a method that nobody here takes', `PROPFIND /api/check HTTP/1.1\r\n${host}${end}`, 405],
  ['a method that nobody here takes, nowhere', `MKCOL /nowhere HTTP/1.1\r\n${host}${end}`, 404],
  ['a request without a host', `POST /api/check HTTP/1.1\r\n${end}`, 400],
  ['a path with a blank', `POST /api/check /x HTTP/1.1\r\n${host}${end}`, 400],
  ['a header without a colon', `POST /api/check HTTP/1.1\r\n${host}Nonsense\r\n${end}`, 400],
  ['a header with a NUL', `POST /api/check HTTP/1.1\r\n${host}X: a\0b\r\n${end}`, 400],
  ['a length that is no number', `POST /api/check HTTP/1.1\r\n${host}Content-Length: many\r\n${end}`, 400],
  ['a length below zero', `POST /api/check HTTP/1.1\r\n${host}Content-Length: -5\r\n${end}`, 400],
  ['two lengths', `POST /api/check HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 3\r\n${end}{}`, 400],
  [
    'a length beside chunks',
    `POST /api/check HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n${end}0\r\n\r\n`,
    400
  ],
  [
    'an unknown transfer encoding',
    `POST /api/check HTTP/1.1\r\n${host}Transfer-Encoding: gzip, identity\r\n${end}`,
    400
  ],
  ['a wish that cannot be met', `POST /api/check HTTP/1.1\r\n${host}Expect: 200-maybe\r\n${end}`, 417],
  ['headers of 100 kB', `POST /api/check HTTP/1.1\r\n${host}X: ${'x'.repeat(100_000)}\r\n${end}`, 431],
  ['3,000 headers', `POST /api/check HTTP/1.1\r\n${host}${'X-Something: x\r\n'.repeat(3000)}${end}`, 431],
  ['one header without an end', `POST /api/check HTTP/1.1\r\nX: ${'x'.repeat(1_000_000)}`, 431],
  ['an address without an end', `POST /${'x'.repeat(1_000_000)}`, 431]
]

for (const [what, bytes, status] of requests) {
  test(`${what} gets the envelope of a ${status}`, async () => {
    const reply = await sendRaw(desk, Buffer.from(bytes, 'latin1'))

    assert.equal(reply.status, status)
    assert.match(reply.headers, /content-type: application\/json/i)
    assert.deepEqual([reply.body.status, reply.body.code], ['error', status])
    assert.match(reply.body.message, /^[\w ,.'-]+$/)
  })
}

test('broken chunks of a body get the envelope of a 400', async () => {
  const headers = `POST /api/auth/login HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n${end}`

  const reply = await sendRaw(desk, `${headers}zz\r\nnot a length\r\n`)

  assert.deepEqual([reply.status, reply.body.status], [400, 'error'])
})

test('a service that has seen all this still answers', async () => {
  assert.equal((await desk.post('/api/check')).status, 200)
})
