import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { defaultAdmin } from '../../src/people/staff/first-admin.ts'
import { callApi, RequestRefused, ServiceUnreachable } from './call-api.ts'
import { eventually } from './eventually.ts'
import { type InstallationFactory, rowsOf, type TestInstallation } from './installations.ts'
import { startService } from './service.ts'
import { verifyConsistent } from './verify.ts'
import { withInstallation } from './with-installation.ts'
import { newWriters, nothingAcknowledged } from './write-load.ts'

const repliesARound = 12
const windowSeconds = 1
const settledWithinSeconds = 300

/** Kills the service, two processes of it in every other round, around the end of the time in which replies can be taken back: each reply that was acknowledged goes exactly once. */
export async function killWhileRepliesWait(factory: InstallationFactory, rounds: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    const acknowledged: string[] = []
    for (let round = 1; round <= rounds; round++) {
      const service = await startService(installation, {}, round % 2 === 0 ? {} : { workers: 2 })
      const { token } = await callApi(service.url, '/api/admin/auth/login', { body: defaultAdmin })
      const settings = { undo_send_seconds: windowSeconds }
      await callApi(service.url, '/api/admin/settings/update', { token, body: settings })
      const tickets = await openTickets(service.url)
      const replying = Promise.all(tickets.map(id => reply(service.url, token, id)))
      replying.catch(() => {})
      // From before the first window ends until some have gone.
      await pause(Math.random() * 1000 * (windowSeconds + 1.5))
      await service.kill()
      acknowledged.push(...(await replying).flatMap(text => text ?? []))
    }
    const service = await startService(installation, {}, { workers: 2 })
    await eventually(settledWithinSeconds, 'all replies', async () => {
      const { waiting } = await what(installation)
      assert.equal(waiting, 0)
    })
    const { sent, twice, events } = await what(installation)
    const lost = acknowledged.filter(text => !sent.includes(text))
    assert.deepEqual({ lost, twice, events }, { lost: [], twice: 0, events: sent.length })
    await verifyConsistent(installation, nothingAcknowledged())
    assert.equal(await service.stop(), 0)
    return `${rounds} kills, ${acknowledged.length} replies acknowledged, ${sent.length} went, each once`
  })
}

async function openTickets(url: string): Promise<number[]> {
  const [writer] = await newWriters(url, 1)
  const body = { department_id: 1, subject: 'Answered while the power goes', message: 'Please hurry.' }
  const tickets: number[] = []
  for (let each = 0; each < repliesARound; each++) {
    tickets.push((await callApi(url, '/api/tickets/create', { token: writer!.token, body })).ticket_id)
  }
  return tickets
}

/** Its text, if it was acknowledged. */
async function reply(url: string, token: string, id: number): Promise<string | undefined> {
  const message = `Answer ${id}`
  try {
    await callApi(url, '/api/admin/tickets/reply', { token, body: { id, message, undo: 1 }, mayRefuse: [503] })
    return message
  } catch (error) {
    // The embedded database may end before the service does.
    if (error instanceof ServiceUnreachable || error instanceof RequestRefused) return undefined
    throw error
  }
}

/** The replies that have gone, how many of them twice, how many events tell of them, and how many still wait. */
async function what(
  installation: TestInstallation
): Promise<{ sent: string[]; twice: number; events: number; waiting: number }> {
  const [row] = await rowsOf(
    installation,
    `select
      (select coalesce(json_agg(distinct message), '[]') from ticket_messages where staff_id is not null) as sent,
      (select count(*)::integer from (
        select ticket_id from ticket_messages where staff_id is not null group by ticket_id having count(*) > 1
      ) as more) as twice,
      (select count(*)::integer from events where kind = 'ticket.replied' and actor_type = 'staff') as events,
      (select count(*)::integer from waiting_replies where state = 'waiting') as waiting`
  )
  return row
}
