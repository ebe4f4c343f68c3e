import type { StaffActor } from '../../../core/actor.ts'
import type { Services } from '../../../core/services.ts'
import type { Caller } from '../../../kit/caller.ts'
import { createRule } from '../../../tickets/rules/change-rules.ts'
import { allRules } from '../../../tickets/rules/rules.ts'
import { demoOrganisation } from './demo-promises.ts'

interface Making {
  admin: StaffActor
  caller: Caller
}

/** Creates two rules, unless they exist: one that works, and one that only watches. They leave alone what happened before. */
export async function makeRules(services: Services, { admin, caller }: Making): Promise<void> {
  const { db } = services
  const organisation = await db
    .selectFrom('organisations')
    .where('name', '=', demoOrganisation.name)
    .select('id')
    .executeTakeFirstOrThrow()
  const existing = (await allRules(db)).map(({ name }) => name)
  for (const rule of demoRules(organisation.id)) {
    if (!existing.includes(rule.name)) await createRule(services, admin, caller, { ...rule, is_active: 1 })
  }
}

const week = 7 * 1_440

function demoRules(organisation: number): Parameters<typeof createRule>[3][] {
  return [
    {
      name: 'VIP first',
      trigger: { events: ['ticket.created'] },
      conditions: { all: [{ any: [{ field: 'organisation_id', op: 'is', value: organisation }] }] },
      actions: [{ set_priority: 'High' }, { assign: { round_robin: 1 } }]
    },
    {
      name: 'Close after a week of silence',
      trigger: { timer: { basis: 'status_since', minutes: week } },
      conditions: { all: [{ any: [{ field: 'status', op: 'is', value: 'Answered' }] }] },
      actions: [{ set_status: 'Closed' }],
      watch_only: 1
    }
  ]
}
