import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../faults/eventually.ts'
import { bootDesk } from '../support/desk.ts'
import { aClient, aSupporter } from '../support/people.ts'
import { sampleProxies, startSampleProxy } from '../support/sample-proxies.ts'
import { listen } from '../support/streams.ts'
import { aTicket } from '../support/tickets.ts'

const desk = await bootDesk({ connections: 4 })
const port = Number(new URL(desk.url).port)

for (const name of sampleProxies) {
  test(`behind the sample ${name} an event is there while its stream goes on, and who hangs up is gone`, async t => {
    const url = await startSampleProxy(t, name, [port, port])
    if (!url) return t.skip('it is not installed')
    const [ada, grace] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all')]

    const stream = await listen(url, { token: grace.token })
    const { ticket_id } = await aTicket(desk, ada)
    const created = await stream.first(({ event }) => event === 'ticket.created')
    await desk.post('/api/tickets/reply', ada, { id: ticket_id, message: 'It hums again.' })
    await stream.first(({ event }) => event === 'ticket.replied')
    const open = await streams()
    stream.close()

    assert.equal(stream.status, 200)
    assert.match(stream.headers.get('content-type')!, /^text\/event-stream/)
    assert.equal(stream.headers.get('content-encoding'), null)
    assert.equal(created.data.ticket_id, ticket_id)
    assert.equal(open, 1)
    await eventually(60, 'the end of the stream', async () => assert.equal(await streams(), 0))
  })
}

async function streams(): Promise<number> {
  const { values } = await desk.services.metrics.eventStreams.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}
