import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { failureOf } from '../core/failures.ts'
import { type AnyEndpoint, endpointsFor } from './endpoint.ts'
import { errorEnvelope } from './errors.ts'
import { type EventStream, eventText, maxBufferedBytes } from './event-stream.ts'
import { RangeNotSatisfiable } from './file-answer.ts'
import { serveEndpoints } from './serve.ts'

type Persons = { anybody: string; client: string; staff: string; upload: never }
const endpoint = endpointsFor<object, Persons, 'none'>()
const bytes = Buffer.from('0123456789')
const streams: EventStream[] = []
const overs: EventStream[] = []

const endpoints: AnyEndpoint[] = [
  endpoint({
    path: '/api/greet',
    summary: 'Greet',
    access: 'public',
    data: Type.Object({ seen: Type.Unknown() }),
    async handle({ caller }) {
      return {
        message: 'Hello',
        data: { seen: [caller.cookies().tea ?? null, caller.headers['x-mood'] ?? null] },
        headers: { 'x-answer': '42' },
        cookies: [
          { name: 'tea', value: 'green; or not', httpOnly: true, secure: true, sameSite: 'strict', path: '/api' },
          { name: 'milk', value: '' }
        ]
      }
    }
  }),
  endpoint({
    path: '/api/file',
    get: true,
    summary: 'A file',
    access: 'user',
    answers: 'file',
    errors: [RangeNotSatisfiable],
    async handle() {
      const content = async (part?: { start: number; end: number }) =>
        Readable.from([part ? bytes.subarray(part.start, part.end + 1) : bytes])
      return { type: 'text/plain', name: 'näme.txt', etag: '"v1"', sizeBytes: bytes.length, content }
    }
  }),
  endpoint({
    path: '/api/stream',
    summary: 'A stream',
    access: 'user',
    answers: 'events',
    async handle() {
      return {
        headers: { 'x-answer': '43' },
        begin(stream) {
          streams.push(stream)
          return () => overs.push(stream)
        }
      }
    }
  })
]

const app = Fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', (_request, _payload, done) => done(null))
app.setErrorHandler((error, _request, reply) => {
  const refusal = failureOf(error as Error)
  return reply.code(refusal.status).headers(refusal.headers).send(errorEnvelope(refusal))
})
serveEndpoints(app, endpoints, {
  services: {},
  limits: { maxBytes: 1000, maxFiles: 0, maxFileBytes: 0 },
  uploads: () => assert.fail(),
  sessionOf: async ({ headers }) => (headers.authorization ? { actor: headers.authorization } : undefined),
  admits: () => true,
  refusalOfToken: () => undefined,
  restricts: () => undefined,
  executeOnce: () => assert.fail(),
  contentOf: () => assert.fail(),
  strict: true
})
await app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

test('an endpoint reads cookies and headers of its caller, and its answer sets some', async () => {
  const answer = await fetch(`${url}/api/greet`, {
    method: 'POST',
    headers: { cookie: 'tea=black%3B%20sweet; other=1', 'x-mood': 'good' }
  })

  assert.deepEqual(((await answer.json()) as { data: object }).data, { seen: ['black; sweet', 'good'] })
  assert.equal(answer.headers.get('x-answer'), '42')
  assert.deepEqual(answer.headers.getSetCookie(), [
    'tea=green%3B%20or%20not; Path=/api; HttpOnly; Secure; SameSite=Strict',
    'milk='
  ])
})

test('a file is given out to whom the gates let in: whole, in part, or not again', async () => {
  const ask = (headers: Record<string, string>) => fetch(`${url}/api/file`, { headers })
  const stranger = await ask({})
  const [whole, part, none, known] = await Promise.all([
    ask({ authorization: 'me' }),
    ask({ authorization: 'me', range: 'bytes=2-4' }),
    ask({ authorization: 'me', range: 'bytes=20-' }),
    ask({ authorization: 'me', 'if-none-match': '"v1"' })
  ])

  assert.deepEqual([stranger.status, whole.status, part.status, none.status, known.status], [401, 200, 206, 416, 304])
  assert.deepEqual([await whole.text(), await part.text()], ['0123456789', '234'])
  assert.match(
    whole.headers.get('content-disposition') ?? '',
    /^attachment; filename="n_me.txt"; filename\*=UTF-8''n%C3%A4me.txt$/
  )
  assert.equal(whole.headers.get('content-length'), '10')
  assert.equal(part.headers.get('content-range'), 'bytes 2-4/10')
  assert.equal(whole.headers.get('cache-control'), 'private, no-store')
})

test('a stream is an answer of its own kind, with what proxies need to know, behind the same gates', async () => {
  const stranger = await fetch(`${url}/api/stream`, { method: 'POST' })
  const { answer, stream, reader } = await listen()

  stream.send(eventText({ id: '7', event: 'greeting', data: '{"a":1}' }))
  const text = await readUntil(reader, '\n\nid')

  assert.equal(stranger.status, 401)
  assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(answer.headers.get('x-accel-buffering'), 'no')
  assert.equal(answer.headers.get('cache-control'), 'no-store, no-transform')
  assert.equal(answer.headers.get('x-answer'), '43')
  assert.equal(text, ':\n\nid: 7\nevent: greeting\ndata: {"a":1}\n\n')
  stream.end()
  assert.equal((await reader.read()).done, true)
})

test('a reader who hangs up is noticed, and one who does not read is dropped at the bound', async () => {
  const gone = await listen()
  await gone.reader.cancel()
  while (!overs.includes(gone.stream))
    await once(app.server, 'never', { signal: AbortSignal.timeout(5) }).catch(() => {})
  const { stream } = await listen()
  const piece = eventText({ event: 'x', data: 'x'.repeat(16 * 1024) })

  let sent = 0
  while (!stream.isOver) {
    stream.send(piece)
    sent += piece.length
  }

  assert.ok(sent > maxBufferedBytes)
  assert.equal(stream.isOver, true)
})

test('the closing of the app ends every stream in order', async () => {
  const { stream, reader } = await listen()

  const closing = app.close()
  while (!(await reader.read()).done);
  await closing

  assert.ok(stream.isOver && overs.includes(stream))
})

async function listen() {
  const answer = await fetch(`${url}/api/stream`, { method: 'POST', headers: { authorization: 'me' } })
  return { answer, stream: streams.at(-1)!, reader: answer.body!.getReader() }
}

/** The text up to what has come when `mark` has been read. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, mark: string): Promise<string> {
  let text = ''
  while (!text.includes(mark) || !text.endsWith('\n\n')) {
    const { value, done } = await reader.read()
    assert.equal(done, false)
    text += Buffer.from(value!).toString()
  }
  return text
}
