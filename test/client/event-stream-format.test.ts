import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { serverSentEvents } from '../../client/src/server-sent-events.js'

const lines = [
  ': hello',
  '',
  'id: 7',
  '',
  'id: 8',
  'event: ticket.replied',
  'data: {"name":"Zoë 🔥",',
  'data:"at":1}',
  '',
  'retry: 1500',
  'data',
  'data:  two spaces',
  'nonsense: 1',
  'id: \0',
  '',
  ': still here',
  '',
  'data: never finished'
]
const expected = [
  { id: '7', event: 'message', data: '', retry: undefined },
  { id: '8', event: 'ticket.replied', data: '{"name":"Zoë 🔥",\n"at":1}', retry: undefined },
  { id: '8', event: 'message', data: '\n two spaces', retry: 1500 }
]

test('a stream reads the same wherever it is cut, inside of characters too, and whatever ends its lines', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat({ max: 170 }), { maxLength: 40 }),
      fc.boolean(),
      async (end, cuts, hasMark) => {
        const bytes = new TextEncoder().encode(`${hasMark ? '\ufeff' : ''}${lines.join(end)}`)
        const borders = [0, ...cuts.toSorted((one, other) => one - other), bytes.length]
        const chunks = borders.slice(1).map((border, at) => bytes.subarray(borders[at], border))

        assert.deepEqual(await read(chunks), expected)
      }
    ),
    { numRuns: 500 }
  )
})

async function read(chunks: Uint8Array[]) {
  const events: unknown[] = []
  for await (const event of serverSentEvents(passing(chunks))) events.push(event)
  return events
}

async function* passing(chunks: Uint8Array[]) {
  yield* chunks
}
