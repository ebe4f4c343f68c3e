import assert from 'node:assert/strict'
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

/** Kills the service while rules follow events and timers fire: each event is judged once, and each timer fires once. */
export async function killWhileRulesRun(factory: InstallationFactory, rounds: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    let service = await startService(installation)
    await makeRules(service.url)
    for (let round = 1; round <= rounds; round++) {
      const people = await newWriters(service.url, writers)
      await Promise.all(people.map(({ token }) => openTickets(service.url, token)))
      // Each ticket has a run of each of the two rules: the kill comes somewhere among them.
      const enough = 2 * ticketsARound * (round - 1) + Math.ceil(Math.random() * (2 * ticketsARound - 1))
      await eventually(settledWithinSeconds, 'some runs', async () => assert.ok((await runs(installation)) >= enough))
      await service.kill()
      service = await startService(installation)
    }
    const tickets = rounds * ticketsARound
    await eventually(settledWithinSeconds, 'all runs', async () => assert.ok((await runs(installation)) >= 2 * tickets))
    assert.deepEqual(await what(installation), { tickets, seen: tickets, due: tickets, runs: 2 * tickets, timers: 0 })
    await verifyConsistent(installation, nothingAcknowledged())
    assert.equal(await service.stop(), 0)
    return `${rounds} kills, ${tickets} tickets: two rules ran once on each`
  })
}

/** One rule follows events, and one a timer that is due as soon as it is set. */
async function makeRules(url: string): Promise<void> {
  const { token } = await callApi(url, '/api/admin/auth/login', { body: defaultAdmin })
  const field = { key: 'bought_on', label: 'Bought on', kind: 'date', client_access: 'write' }
  const made = await callApi(url, '/api/admin/fields/create', { token, body: field })
  const timer = { basis: 'date_field', field_id: made.field.id, minutes: 1 }
  const rules = [
    { name: 'Seen', trigger: { events: ['ticket.created'] }, actions: [{ note: 'Seen' }] },
    { name: 'Due', trigger: { timer }, actions: [{ note: 'Due' }] }
  ]
  for (const rule of rules) {
    await callApi(url, '/api/admin/rules/create', { token, body: { ...rule, is_active: 1 } })
  }
}

async function openTickets(url: string, token: string): Promise<void> {
  for (let ticket = 0; ticket < ticketsEach; ticket++) {
    const fields = { bought_on: '2020-01-01' }
    const body = { department_id: 1, subject: 'Written while the power goes', message: 'Please hurry.', fields }
    await callApi(url, '/api/tickets/create', { token, body })
  }
}

async function runs(installation: TestInstallation): Promise<number> {
  return (await what(installation)).runs
}

async function what(
  installation: TestInstallation
): Promise<Record<'tickets' | 'seen' | 'due' | 'runs' | 'timers', number>> {
  const [row] = await rowsOf(
    installation,
    `select
      (select count(*)::integer from tickets) as tickets,
      (select count(*)::integer from ticket_notes where note = 'Seen') as seen,
      (select count(*)::integer from ticket_notes where note = 'Due') as due,
      (select count(*)::integer from rule_runs where outcome = 'ran') as runs,
      (select count(*)::integer from rule_timers) as timers`
  )
  return row
}
