import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { defaultAdmin } from '../../src/people/staff/first-admin.ts'
import { callApi } from './call-api.ts'
import { eventually } from './eventually.ts'
import { type InstallationFactory, rowsOf, type TestInstallation } from './installations.ts'
import { startService } from './service.ts'
import { verifyConsistent } from './verify.ts'
import { withInstallation } from './with-installation.ts'
import { newWriters, nothingAcknowledged } from './write-load.ts'

const writers = 4
const ticketsEach = 10
const ticketsARound = writers * ticketsEach
const settledWithinSeconds = 300

/**
 * Kills the service, two processes of it in every other round, while clocks begin and again while they are told late: no ticket loses its clock, and
 * each breach is told once.
 */
export async function killWhileClocksRun(factory: InstallationFactory, rounds: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    const processes = (round: number) => (round % 2 === 0 ? {} : { workers: 2 })
    let service = await startService(installation, {}, processes(1))
    await makePolicy(service.url)
    for (let round = 1; round <= rounds; round++) {
      const people = await newWriters(service.url, writers)
      await Promise.all(people.map(({ token }) => openTickets(service.url, token)))
      await pause(Math.random() * 500)
      await service.kill()
      service = await startService(installation, {}, processes(round))

      const tickets = round * ticketsARound
      await eventually(settledWithinSeconds, 'all clocks', async () =>
        assert.equal((await what(installation)).clocks, tickets)
      )
      await fallDue(installation)
      // Late ones are looked for every five seconds.
      await pause(Math.random() * 6_000)
      await service.kill()
      service = await startService(installation, {}, processes(round + 1))
      await eventually(settledWithinSeconds, 'all breaches', async () =>
        assert.equal((await what(installation)).late, tickets)
      )
    }
    const tickets = rounds * ticketsARound
    const once = { clocks: tickets, late: tickets, started: tickets, breached: tickets, twice: 0 }
    await eventually(settledWithinSeconds, 'each told once', async () =>
      assert.deepEqual(await what(installation), once)
    )
    await verifyConsistent(installation, nothingAcknowledged())
    assert.equal(await service.stop(), 0)
    return `${2 * rounds} kills, ${tickets} clocks: none lost, each told once that it is late`
  })
}

async function makePolicy(url: string): Promise<void> {
  const { token } = await callApi(url, '/api/admin/auth/login', { body: defaultAdmin })
  const { calendars } = await callApi(url, '/api/admin/calendars/list', { token })
  const always = calendars.find((calendar: { is_always: 0 | 1 }) => calendar.is_always === 1)
  const targets = ['Low', 'Medium', 'High', 'Critical'].map(priority => ({
    ...{ metric: 'first_response', priority, minutes: 600, calendar_id: always.id }
  }))
  const policy = { name: 'Ten hours', targets, warn_minutes: null, is_active: 1 }
  await callApi(url, '/api/admin/sla-policies/create', { token, body: policy })
}

async function openTickets(url: string, token: string): Promise<void> {
  const body = { department_id: 1, subject: 'Written while the power goes', message: 'Please hurry.' }
  for (let ticket = 0; ticket < ticketsEach; ticket++) await callApi(url, '/api/tickets/create', { token, body })
}

/** As if their ten hours were over. */
async function fallDue(installation: TestInstallation): Promise<void> {
  await rowsOf(installation, `update sla_clocks set due_at = now() where ended_at is null and breached_at is null`)
}

async function what(
  installation: TestInstallation
): Promise<Record<'clocks' | 'late' | 'started' | 'breached' | 'twice', number>> {
  const [row] = await rowsOf(
    installation,
    `select (select count(*)::integer from sla_clocks) as clocks,
      (select count(*)::integer from sla_clocks where breached_at is not null) as late,
      (select count(*)::integer from events where kind = 'sla.started') as started,
      (select count(*)::integer from events where kind = 'sla.breached') as breached,
      (select count(*)::integer from (select from events where kind like 'sla.%' group by kind, ticket_id
        having count(*) > 1) as each) as twice`
  )
  return row
}
