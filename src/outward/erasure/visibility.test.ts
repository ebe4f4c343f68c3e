import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { erase } from '../../../test/support/erasure.ts'
import { exportArchive } from '../../../test/support/export-archive.ts'
import { untilLockWait } from '../../../test/support/lock-waits.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { aFile, assign, aTicket, changeTicket, limitTo, storedFiles } from '../../../test/support/tickets.ts'
import { system } from '../../core/actor.ts'
import type { Permission } from '../../core/permissions.ts'
import { withClientDataLocked } from './lock-client-data.ts'

const desk = await bootDesk({ connections: 5 })
const admin = await anAdmin(desk)
const [technical, billing] = [1, 4]
const both: Permission[] = ['clients.edit', 'clients.delete']
const all: Permission[] = [...both, 'tickets.view_all', 'tickets.delete']

const ask = (person: Person, { id }: { id: number }) => desk.post('/api/admin/clients/export', person, { id })

/** One ticket in each of two departments, the second with a file. */
async function aClientOfTwo(): Promise<{ ada: Person; tickets: [number, number] }> {
  const ada = await aClient(desk)
  const first = await aTicket(desk, ada, { department_id: technical })
  const second = await aTicket(desk, ada, { department_id: billing }, [aFile('invoice.txt')])
  return { ada, tickets: [first.ticket_id, second.ticket_id] }
}

async function aMemberOf(department: number, ...permissions: Permission[]): Promise<Person> {
  const supporter = await aSupporter(desk, ...permissions)
  await limitTo(desk, supporter.id, department)
  return supporter
}

test('who does not see all tickets of a client neither exports nor erases it, and is told how many are in the way', async () => {
  const { ada, tickets } = await aClientOfTwo()
  const own = await aSupporter(desk, ...both)
  await assign(desk, tickets[0], own.id)
  const limited = await aMemberOf(technical, ...all)
  await desk.post('/api/admin/tickets/delete', admin, { id: tickets[0] })
  const noTrash = await aMemberOf(technical, ...both, 'tickets.view_all')
  const [rows, files] = [await desk.rowCounts(), await storedFiles(desk)]

  const replies = []
  for (const person of [own, limited, noTrash]) {
    replies.push(await ask(person, ada))
    for (const mode of ['cascade', 'anonymize']) replies.push(await erase(desk, person, ada, mode))
  }

  const technicalOne = { deptid: 1, name: 'Technical Support', tickets: 1 }
  const billingOne = { deptid: 4, name: 'Billing Department', tickets: 1 }
  const inTheWay = [
    { tickets: 2, departments: [technicalOne, billingOne], other_departments: 0 },
    { tickets: 1, departments: [], other_departments: 1 },
    { tickets: 2, departments: [technicalOne], other_departments: 1 }
  ]
  assert.deepEqual(
    replies.map(({ status, data }) => [status, data.unseen]),
    inTheWay.flatMap(unseen => [403, 403, 403].map(status => [status, unseen]))
  )
  assert.match(replies[6]!.body.message, /1 in Technical Support, 1 in departments that are not yours/)
  assert.ok(!replies.slice(3).some(({ body }) => JSON.stringify(body).includes('Billing')))
  assert.deepEqual(await desk.rowCounts(), rows)
  assert.deepEqual(await storedFiles(desk), files)
})

test('who sees them all, and an admin, exports and erases', async () => {
  const whole = await aSupporter(desk, ...all)
  const { ada, tickets } = await aClientOfTwo()
  await changeTicket(desk, tickets[1], { trashed_at: desk.clock.now() })
  const limited = await aMemberOf(technical, ...both, 'tickets.view_all')
  const bob = await aClient(desk)
  await aTicket(desk, bob, { department_id: technical })

  const { data } = await exportArchive(desk, (await ask(whole, ada)).data.url)

  assert.equal(data.tickets.length, 2)
  assert.equal((await erase(desk, limited, bob, 'cascade')).status, 200)
  assert.equal((await erase(desk, whole, ada, 'anonymize')).status, 200)
  assert.equal((await erase(desk, admin, (await aClientOfTwo()).ada, 'cascade')).status, 200)
})

test('a link is judged when it is followed: not after a ticket moved out of sight, a grant was withdrawn or the session ended', async () => {
  const { ada, tickets } = await aClientOfTwo()
  await changeTicket(desk, tickets[1], { department_id: technical })
  const people = []
  for (let count = 0; count < 4; count++) people.push(await aMemberOf(technical, ...all))
  const [moved, withdrawn, loggedOut, inactive] = people as [Person, Person, Person, Person]
  const links = new Map<Person, string>()
  for (const person of people) {
    const { url } = (await ask(person, ada)).data
    await exportArchive(desk, url)
    links.set(person, url)
  }
  const follow = async (person: Person) => {
    const { pathname, search } = new URL(links.get(person)!)
    return (await fetch(desk.url + pathname + search)).status
  }

  await desk.db.deleteFrom('staff_permissions').where('staff_id', '=', withdrawn.id).execute()
  await desk.post('/api/auth/logout', loggedOut)
  await desk.db.updateTable('staff').set({ is_active: false }).where('id', '=', inactive.id).execute()
  const statuses = [await follow(moved), await follow(withdrawn), await follow(loggedOut), await follow(inactive)]
  await changeTicket(desk, tickets[1], { department_id: billing })
  statuses.push(await follow(moved))

  assert.deepEqual(statuses, [200, 404, 404, 404, 404])
})

test('a ticket that leaves the sight while its client is being erased stops that', async () => {
  const { ada, tickets } = await aClientOfTwo()
  await changeTicket(desk, tickets[1], { department_id: technical })
  const limited = await aMemberOf(technical, ...all)

  const { erased } = await withClientDataLocked(desk.services, system, ada.id, async ({ db }) => {
    const erased = erase(desk, limited, ada, 'cascade')
    await untilLockWait(desk)
    await db.updateTable('tickets').set({ department_id: billing }).where('id', '=', tickets[1]).execute()
    return { erased }
  })

  const { status, data } = await erased
  assert.deepEqual([status, data.unseen], [403, { tickets: 1, departments: [], other_departments: 1 }])
})
