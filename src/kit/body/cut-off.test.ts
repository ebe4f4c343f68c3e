import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { quiet } from '../../../test/support/database.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'

const errors: unknown[] = []
const log = Object.assign(Object.create(quiet), { error: (...what: unknown[]) => errors.push(what) })
const desk = await bootDesk({ services: { log } })
const file = '--x\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\n\r\nhalf of it'

test('a caller who goes away while sending is no fault of the service or its database', async () => {
  const { token } = await aClient(desk)
  const { hostname, port } = new URL(desk.url)
  const ways = [
    ['application/json', '{"half":'],
    ['multipart/form-data; boundary=x', file]
  ] as const
  for (const [type, part] of ways) {
    for (const [leave, isReading] of [
      ['destroy', false],
      ['destroy', true],
      ['resetAndDestroy', false],
      ['resetAndDestroy', true]
    ] as const) {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      const headers = ['Host: desk', `Authorization: Bearer ${token}`, `Content-Type: ${type}`, 'Content-Length: 5000']
      socket.write(['POST /api/tickets/create HTTP/1.1', ...headers, '', part].join('\r\n'))
      await inFlight(1)
      // There is one connection to the database: when this is answered, the body of the other is being read.
      if (isReading) await desk.post('/api/account/profile', { token })
      socket[leave]()
      await inFlight(0)
    }
  }

  // Whatever is still to be thrown has been by the time another request is answered.
  assert.equal((await desk.post('/api/check')).status, 200)
  assert.deepEqual(errors, [])
})

/** Resolves when so many requests are being answered. */
async function inFlight(count: number): Promise<void> {
  for (;;) {
    const { values } = await desk.services.metrics.requestsInFlight.get()
    if ((values[0]?.value ?? 0) === count) return
    await new Promise(resolve => setImmediate(resolve))
  }
}
