import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeskEvent } from '../../core/events/event.ts'
import { eventBody, testBody } from './message.ts'

const event = {
  id: 4711,
  kind: 'ticket.replied',
  at: new Date('2026-11-20T08:28:31.250Z'),
  subject_type: 'ticket',
  subject_id: 7,
  ticket_id: 7,
  client_id: 3,
  department_id: 1,
  actor: { type: 'client', id: 3, name: 'Ada Lovelace' },
  before: { status: 'Open' },
  after: {
    status: 'Customer-Reply',
    message_id: 12,
    sender_type: 'client',
    received_at: '2026-11-20T08:28:31.250Z'
  },
  is_silent: false,
  cause: null,
  request_id: 'a request'
} as const satisfies DeskEvent

test('a body has type, timestamp and data: the event by its ids and fields', () => {
  assert.deepEqual(JSON.parse(eventBody(event, undefined)), {
    type: 'ticket.replied',
    timestamp: '2026-11-20T08:28:31.250Z',
    data: {
      id: 4711,
      kind: 'ticket.replied',
      at: '2026-11-20 08:28:31',
      at_iso: '2026-11-20T08:28:31Z',
      subject_type: 'ticket',
      subject_id: 7,
      ticket_id: 7,
      client_id: 3,
      actor: { type: 'client', id: 3, name: 'Ada Lovelace' },
      before: { status: 'Open' },
      after: event.after
    }
  })
})

test('an event that the system wrote because of another tells its cause', () => {
  const cause = { rule_id: 7, event_id: 4710, chain_id: 4709, depth: 1 }

  assert.deepEqual(JSON.parse(eventBody({ ...event, cause }, undefined)).data.cause, cause)
})

test('words are cut at 8,000 characters and say so', () => {
  const textOf = (text: string) => JSON.parse(eventBody(event, text)).data

  assert.deepEqual([textOf('Hello').text, textOf('Hello').is_cut], ['Hello', 0])
  assert.deepEqual([textOf('x'.repeat(8000)).text.length, textOf('x'.repeat(8000)).is_cut], [8000, 0])
  assert.deepEqual([textOf('x'.repeat(8001)).text.length, textOf('x'.repeat(8001)).is_cut], [8000, 1])
  assert.deepEqual([textOf('').text, textOf('').is_cut], ['', 0])
})

test('a body stays below 20 KB whatever is written, and no character is cut in half', () => {
  for (const character of ['é', '字', '🖨️', '👩‍💻', '"', '\\', '\n', '\u0001', '\u2028', '🖨']) {
    const body = eventBody(event, character.repeat(8000))
    const { text, is_cut } = JSON.parse(body).data

    assert.ok(Buffer.byteLength(body) < 20_000, character)
    assert.ok(text.isWellFormed() && text.length > 3000, character)
    assert.equal(is_cut, text.length < character.repeat(8000).length ? 1 : 0, character)
  }
})

test('a pair of halves at the place where the text is cut stays whole', () => {
  for (const lead of [0, 1, 2, 3]) {
    const body = eventBody(event, 'x'.repeat(lead) + '🖨'.repeat(20_000))
    assert.ok(JSON.parse(body).data.text.isWellFormed())
    // One of these would be 20,000 bytes to the last.
    assert.ok(Buffer.byteLength(body) < 20_000, String(lead))
  }
})

test('what is too large by itself tells its ids alone', () => {
  const tags = { before: { tags: [] }, after: { tags: Array<string>(3000).fill('a tag of some length') } }
  const large = { ...event, kind: 'ticket.tagged', ...tags } as const
  const body = eventBody(large, 'Hello')
  const { data } = JSON.parse(body)

  assert.ok(Buffer.byteLength(body) < 1000)
  assert.deepEqual([data.id, data.before, data.after, data.is_cut, data.text], [4711, null, null, 1, undefined])
})

test('a test has the shape of an event', () => {
  const body = JSON.parse(testBody({ at: event.at, actor: { type: 'system', id: null, name: 'Deskline' } }))

  assert.deepEqual(
    [body.type, body.data.kind, body.timestamp],
    ['webhook.test', 'webhook.test', '2026-11-20T08:28:31.250Z']
  )
  assert.deepEqual(
    Object.keys(body.data).toSorted(),
    Object.keys(JSON.parse(eventBody(event, undefined)).data).toSorted()
  )
})
