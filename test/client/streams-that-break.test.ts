import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createClient, type StreamedEvent } from '../../client/src/index.js'
import { failureOf } from '../support/failure-of.ts'

interface Asked {
  path: string
  lastEventId: string | undefined
  body: unknown
}

/** A service that plays one act for each connection, the last one over and over. */
async function aStage(...acts: ((response: ServerResponse) => void)[]) {
  const asked: Asked[] = []
  const closed: Promise<unknown>[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const lastEventId = request.headers['last-event-id'] as string | undefined
    asked.push({ path: request.url!, lastEventId, body: JSON.parse(Buffer.concat(chunks).toString() || '{}') })
    closed.push(once(response, 'close'))
    const act = acts[Math.min(asked.length, acts.length) - 1]!
    act(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, closed }
}

function tell(response: ServerResponse, ...ids: number[]) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'last-event-id': String((ids[0] ?? 1) - 1) })
  response.write(':\n\n')
  for (const id of ids)
    response.write(`id: ${id}\nevent: ticket.created\ndata: {"id":${id},"kind":"ticket.created"}\n\n`)
}

async function some(events: AsyncIterable<StreamedEvent>, count: number) {
  const ids: unknown[] = []
  for await (const event of events) if (ids.push('id' in event && event.id) === count) break
  return ids
}

test('a stream that ends, breaks, is refused for a moment or falls silent goes on after its last event', async () => {
  const stage = await aStage(
    response => {
      tell(response, 1, 2)
      response.end()
    },
    response => {
      tell(response, 3)
      response.write('id: 4\ndata: {"id":')
      setImmediate(() => response.destroy())
    },
    response => response.writeHead(503, { 'retry-after': '0' }).end(),
    response => response.writeHead(429).end(),
    response => tell(response, 4),
    response => tell(response, 5)
  )
  const client = createClient({ baseUrl: stage.url, retries: 0 })

  const cursors: string[] = []
  const onOpen = (cursor: string) => void cursors.push(cursor)
  const ids = await some(client.stream({ after: '0', idleMilliseconds: 200, onOpen }), 5)
  await stage.closed.at(-1)

  assert.deepEqual(ids, [1, 2, 3, 4, 5])
  assert.deepEqual(
    stage.asked.map(({ lastEventId }) => lastEventId),
    [undefined, '2', '3', '3', '3', '4']
  )
  assert.deepEqual(cursors, ['0', '2', '3', '4'])
  assert.deepEqual([stage.asked[0]?.body, stage.asked[1]?.body], [{ after: '0' }, {}])
  assert.deepEqual([...new Set(stage.asked.map(({ path }) => path))], ['/api/events/stream'])
})

test('a block with an id alone is the place to go on from, and no event', async () => {
  const stage = await aStage(
    response => {
      response.writeHead(200)
      response.end('id: 41\n\n')
    },
    response => tell(response, 42)
  )
  const client = createClient({ baseUrl: stage.url })

  const ids = await some(client.stream({ population: 'staff' }), 1)

  assert.deepEqual(ids, [42])
  assert.deepEqual(stage.asked, [
    { path: '/api/admin/events/stream', lastEventId: undefined, body: {} },
    { path: '/api/admin/events/stream', lastEventId: '41', body: {} }
  ])
})

test('who is not let in, asks too often or comes too late is told, and nothing is asked again', async () => {
  for (const status of [400, 401, 403, 410, 429]) {
    const body = JSON.stringify({ status: 'error', code: status, message: 'No', reason: 'no' })
    const stage = await aStage(response => response.writeHead(status).end(body))

    const failure = await failureOf(some(createClient({ baseUrl: stage.url }).stream(), 1))

    assert.deepEqual([failure.status, failure.reason, stage.asked.length], [status, 'no', 1])
  }
})

test('a stream is given up when its signal says so, also while it waits to come again', async () => {
  const why = new Error('The reader has left')
  for (const act of [(response: ServerResponse) => tell(response), (response: ServerResponse) => response.destroy()]) {
    const stage = await aStage(act)
    const leaving = new AbortController()
    const events = createClient({ baseUrl: stage.url, retries: 0 }).stream({ signal: leaving.signal })

    const end = some(events, 1)
    while (stage.closed.length === 0) await new Promise(setImmediate)
    leaving.abort(why)

    await assert.rejects(end, why)
    await stage.closed[0]
  }
})
