import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clientVisibility, preparedForVisible, ticketsOfOrganisation } from '../src/tickets/ticket/visibility.ts'
import { canSee, loadTickets } from '../src/tickets/ticket/visible-in-memory.ts'
import { bootDesk } from './support/desk.ts'
import { anOrganisation, belong } from './support/organisations.ts'
import { aClient, anAdmin, type Person } from './support/people.ts'
import { aTicket } from './support/tickets.ts'

const desk = await bootDesk({ connections: 4 })
const admin = await anAdmin(desk)
const people: Person[] = []
for (let count = 0; count < 5; count++) people.push(await aClient(desk, { is_email_verified: true }))
const organisations = [await anOrganisation(desk), await anOrganisation(desk), await anOrganisation(desk)]
const asked = preparedForVisible(tickets => tickets.select('tickets.id').orderBy('tickets.id'))

/** What is believed of the world: where each person belongs, and where and by whom each ticket was opened. */
interface Belief {
  belongs: ({ at: number; role: 'member' | 'manager' } | undefined)[]
  isProven: boolean[]
  tickets: { id: number; by: number; at: number | undefined; isTrashed: boolean }[]
}

const person = fc.nat(people.length - 1)
const steps = fc.array(
  fc.oneof(
    { arbitrary: fc.record({ does: fc.constant('opens' as const), who: person }), weight: 4 },
    {
      arbitrary: fc.record({
        does: fc.constant('belongs' as const),
        who: person,
        at: fc.option(fc.nat(organisations.length - 1), { nil: undefined }),
        role: fc.constantFrom('member' as const, 'manager' as const)
      }),
      weight: 4
    },
    fc.record({ does: fc.constant('proves' as const), who: person, is: fc.boolean() }),
    fc.record({ does: fc.constant('trashes' as const), which: fc.nat(40) })
  ),
  { minLength: 5, maxLength: 25 }
)

const belief: Belief = { belongs: people.map(() => undefined), isProven: people.map(() => true), tickets: [] }

/** Who sees what, by the rules in words alone. */
function sees({ belongs, isProven }: Belief, who: number, ticket: Belief['tickets'][number]): boolean {
  if (ticket.isTrashed) return false
  if (ticket.by === who) return true
  const own = belongs[who]
  return own?.role === 'manager' && isProven[who] === true && ticket.at === own.at
}

test('G1, G2: after random moves, everybody sees exactly what the rules say, in SQL, in memory and through the API', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async steps => {
      for (const step of steps) await take(step)
      await compare()
    }),
    { numRuns: 25, seed: 11 }
  )
  const managers = belief.belongs.filter(each => each?.role === 'manager').length
  assert.ok(belief.tickets.length > 60, `${belief.tickets.length} tickets, ${managers} managers`)
})

type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never

async function take(step: Step): Promise<void> {
  switch (step.does) {
    case 'opens': {
      const { ticket_id: id } = await aTicket(desk, people[step.who]!)
      belief.tickets.push({ id, by: step.who, at: belief.belongs[step.who]?.at, isTrashed: false })
      return
    }
    case 'belongs': {
      const { who, at, role } = step
      await belong(desk, people[who]!, at === undefined ? undefined : organisations[at], role)
      belief.belongs[who] = at === undefined ? undefined : { at, role }
      return
    }
    case 'proves': {
      await desk.db
        .updateTable('clients')
        .set({ is_email_verified: step.is })
        .where('id', '=', people[step.who]!.id)
        .execute()
      belief.isProven[step.who] = step.is
      return
    }
    case 'trashes': {
      const ticket = belief.tickets[step.which]
      if (!ticket || ticket.isTrashed) return
      const reply = await desk.post('/api/admin/tickets/delete', admin, { id: ticket.id })
      assert.equal(reply.status, 200, reply.body.message)
      ticket.isTrashed = true
    }
  }
}

async function compare(): Promise<void> {
  const inMemory = await loadTickets(
    desk.db,
    belief.tickets.map(({ id }) => id)
  )
  for (const [who, { id, token }] of people.entries()) {
    const expected = belief.tickets.filter(ticket => sees(belief, who, ticket)).map(ticket => ticket.id)
    const own = belief.belongs[who]
    const manages = own?.role === 'manager' && belief.isProven[who] ? organisations[own.at]!.id : undefined
    const visibility = clientVisibility({
      population: 'client',
      ...{ id, firstName: '', lastName: '', email: '' },
      managedOrganisation: manages
    })
    const inSql = (await asked(desk.db, visibility, {})).map(ticket => ticket.id)
    const atHand = [...inMemory.values()].filter(ticket => canSee(visibility, ticket)).map(ticket => ticket.id)
    assert.deepEqual(inSql, expected)
    assert.deepEqual(
      atHand.toSorted((one, other) => one - other),
      expected
    )

    const listed = await desk.post('/api/tickets/list', { token }, { scope: 'organisation', limit: 1000 })
    assert.equal(listed.status, manages === undefined ? 403 : 200)
    if (manages === undefined) continue
    const ofAll = (await asked(desk.db, ticketsOfOrganisation(manages), {})).map(ticket => ticket.id)
    const shown = listed.data.tickets.map((ticket: { id: number }) => ticket.id)
    assert.deepEqual(
      shown.toSorted((one: number, other: number) => one - other),
      ofAll
    )
    assert.equal(listed.data.total, ofAll.length)
    assert.deepEqual(
      ofAll,
      belief.tickets.filter(({ at, isTrashed }) => at === own!.at && !isTrashed).map(ticket => ticket.id)
    )
  }
}
