import assert from 'node:assert/strict'
import { catchUpWithLog } from '../../src/core/events/follow-log.ts'
import { newestPosition, sequence } from '../../src/core/events/read-events.ts'
import { ruleReader } from '../../src/tickets/rules/rule-reader.ts'
import { bootDesk, type Desk } from './desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from './people.ts'
import { aTicket } from './tickets.ts'

interface MadeRule {
  id: number
  name: string
  version: number
  is_active: 0 | 1
  paused_reason: string | null
  attention: { reason: string; text: string }[]
}

/** Creates a rule, which is active unless it is said otherwise. */
export async function aRule(desk: Desk, admin: Person, given: object = {}): Promise<MadeRule> {
  const reply = await desk.post('/api/admin/rules/create', admin, {
    name: 'VIP first',
    trigger: { events: ['ticket.created'] },
    actions: [{ set_priority: 'High' }],
    is_active: 1,
    ...given
  })
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data.rule
}

/** Has the rules follow all that happened, and what they did themselves. Returns in how many rounds. */
export async function runRules(desk: Desk): Promise<number> {
  const reader = ruleReader(desk.services)
  let read = -1
  for (let rounds = 0; ; rounds++) {
    await sequence(desk.services)
    const newest = await newestPosition(desk.db)
    if (newest === read) return rounds
    await catchUpWithLog(desk.db, reader)
    read = newest
  }
}

/** Conditions that all have to fit. */
export function allOf(...conditions: object[]): object {
  return { all: conditions.map(condition => ({ any: [condition] })) }
}

/** A desk with people whose tickets rules follow. */
export async function bootRulesDesk(config: Parameters<typeof bootDesk>[0] = {}) {
  const desk = await bootDesk({ connections: 6, ...config })
  const [ada, admin] = [await aClient(desk, { is_email_verified: true }), await anAdmin(desk)]
  const grace = await aSupporter(desk, 'tickets.reply')
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  const runsOf = async (ticket: number): Promise<any[]> => {
    const reply = await desk.post('/api/admin/rules/runs', admin, { ticket_id: ticket })
    assert.equal(reply.status, 200, reply.body.message)
    return reply.data.runs.toReversed()
  }
  return {
    ...{ desk, ada, admin, grace, runsOf },
    opened: async () => (await aTicket(desk, ada)).ticket_id as number,
    /** What became of the rules on a ticket: the rule, the outcome, the depth, and why if it was stopped. */
    async outcomes(ticket: number): Promise<(string | number)[][]> {
      return (await runsOf(ticket)).map(({ rule_id, outcome, depth, detail }) => [
        ...[rule_id, outcome, depth],
        ...(detail.reason ? [detail.reason] : [])
      ])
    },
    async update(id: number, body: object) {
      const reply = await desk.post('/api/admin/tickets/update', admin, { id, ...body })
      assert.equal(reply.status, 200, reply.body.message)
    }
  }
}
