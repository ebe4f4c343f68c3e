import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { aRule, bootRulesDesk, runRules } from '../../../test/support/rules.ts'
import { ticketRow } from '../../../test/support/tickets.ts'

const { desk, admin, grace, opened, outcomes, runsOf, update } = await bootRulesDesk()
const tags = ['calm', 'fire']
for (const name of tags) await desk.post('/api/admin/tags/create', admin, { name })

/** What a chain of five steps and the round that finds nothing new take. */
const mostRounds = 7
const priorities = ['Low', 'Medium', 'High'] as const
const statuses = ['Open', 'In Progress', 'Answered'] as const

const action = fc.oneof(
  fc.constantFrom(...priorities).map(set_priority => ({ set_priority })),
  fc.constantFrom(...statuses).map(set_status => ({ set_status })),
  fc.constantFrom(...tags).map(tag => ({ add_tags: [tag] })),
  fc.constantFrom(...tags).map(tag => ({ remove_tags: [tag] })),
  fc.constantFrom(grace.id, null).map(assign => ({ assign }))
)

const condition = fc.oneof(
  fc.constantFrom(...priorities).map(value => ({ field: 'priority', op: 'is_not', value })),
  fc.constantFrom(...statuses).map(value => ({ field: 'status', op: 'is', value })),
  fc.constantFrom('staff', 'rule').map(value => ({ field: 'event.actor', op: 'is', value })),
  fc.constantFrom(...tags).map(tag => ({ field: 'tags', op: 'has_none', value: [tag] }))
)

const rule = fc.record({
  trigger: fc.record({
    events: fc.uniqueArray(
      fc.constantFrom('ticket.updated', 'ticket.status_changed', 'ticket.tagged', 'ticket.assigned'),
      { minLength: 1, maxLength: 4 }
    )
  }),
  conditions: fc.array(condition, { maxLength: 2 }).map(all => ({ all: all.map(each => ({ any: [each] })) })),
  actions: fc.array(action, { minLength: 1, maxLength: 3 })
})

/** What staff do with a ticket. */
const step = fc.oneof(
  fc.constantFrom(...priorities).map(priority => ['update', { priority }] as const),
  fc.constantFrom(...statuses).map(status => ['status', { status }] as const),
  fc.constantFrom(...tags).map(tag => ['tags', { add: [tag] }] as const)
)
const steps = fc.array(step, { minLength: 1, maxLength: 3 })

type Step = readonly [verb: string, body: object]

async function take(ticket: number, [verb, body]: Step): Promise<void> {
  const reply = await desk.post(`/api/admin/tickets/${verb}`, admin, { id: ticket, ...body })
  assert.equal(reply.status, 200, reply.body.message)
}

async function stateOf(ticket: number) {
  const { priority, status, assigned_staff_id } = await ticketRow(desk, ticket)
  const { data } = await desk.post('/api/admin/tickets/detail', admin, { id: ticket })
  return { priority, status, assigned_staff_id, tags: data.ticket.tags }
}

async function clear(): Promise<void> {
  await sql`delete from rules`.execute(desk.db)
}

test('R4 random rules and events end in bounded steps, each rule once in a chain, the same in any order of commits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 4 }), steps, steps, async (rules, one, other) => {
      for (const [at, given] of rules.entries()) await aRule(desk, admin, { name: `Rule ${at}`, ...given })
      const [a, b, first, second] = [await opened(), await opened(), await opened(), await opened()]

      // One ticket after the other, and both by turns.
      for (const each of one) await take(a, each)
      for (const each of other) await take(b, each)
      for (let at = 0; at < Math.max(one.length, other.length); at++) {
        if (other[at]) await take(second, other[at]!)
        if (one[at]) await take(first, one[at]!)
      }
      const rounds = await runRules(desk)

      assert.ok(rounds <= mostRounds, `${rounds} rounds`)
      assert.deepEqual([await stateOf(first), await stateOf(second)], [await stateOf(a), await stateOf(b)])
      for (const ticket of [a, b, first, second]) {
        const ran = (await runsOf(ticket)).filter(({ outcome }) => outcome === 'ran')
        const chains = ran.map(({ rule_id, chain_id }) => `${rule_id} ${chain_id}`)
        assert.equal(new Set(chains).size, chains.length)
        assert.ok(ran.every(({ depth }) => depth <= 5))
      }
      await clear()
    }),
    { numRuns: 12, seed: 7 }
  )
})

const pairs: [event: string, up: object, down: object, begin: Step][] = [
  ['ticket.updated', { set_priority: 'High' }, { set_priority: 'Low' }, ['update', { priority: 'High' }]],
  ['ticket.status_changed', { set_status: 'Answered' }, { set_status: 'Open' }, ['status', { status: 'Answered' }]],
  ['ticket.tagged', { add_tags: ['fire'] }, { remove_tags: ['fire'] }, ['tags', { add: ['calm'] }]],
  ['ticket.assigned', { assign: grace.id }, { assign: null }, ['assign', { staff_id: admin.id }]]
]

for (const [event, up, down, begin] of pairs) {
  test(`R5 two rules that undo each other end, with the later one's value: ${Object.keys(up)[0]}`, async () => {
    const rules = []
    for (const action of [up, down]) {
      rules.push((await aRule(desk, admin, { trigger: { events: [event] }, actions: [action] })).id)
    }
    const ticket = await opened()
    await update(ticket, { subject: 'Something else' })
    await runRules(desk)
    const before = (await outcomes(ticket)).length

    await take(ticket, begin)
    const rounds = await runRules(desk)

    assert.ok(rounds <= mostRounds, `${rounds} rounds`)
    const runs = (await outcomes(ticket)).slice(before)
    assert.deepEqual(
      runs.filter(([, outcome]) => outcome === 'ran').map(([id]) => id),
      rules
    )
    assert.ok(runs.some(([, outcome, , reason]) => outcome === 'stopped' && reason === 'chain'))
    await clear()
  })
}
