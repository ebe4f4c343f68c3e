import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { ruleWithId } from './rules.ts'
import type { RuleServices } from './run-rule.ts'
import { endTimers } from './timers.ts'
import { rewriteRule } from './write-rule.ts'

/** R7: a rule that would exceed a budget stands still, and the admins are told. */
export async function pauseByBudget(services: RuleServices, db: Db, id: number): Promise<void> {
  await act({ ...services, db }, system, async act => {
    const rule = await ruleWithId(act.db, id)
    const { name, is_active } = rule
    await rewriteRule(act, null, id, rule, { is_active, paused_reason: 'budget', active_since: null })
    await endTimers(act.db, { id })
    act.happened({ kind: 'rule.paused', subject: { type: 'rule', id }, after: { name, reason: 'budget' } })
    for (const { id: staffId, email: recipient } of await admins(act.db, {})) {
      await addToOutbox(services, act.db, {
        kind: 'staff-rule-paused',
        channel: 'mail',
        recipient,
        reader: { population: 'staff', id: staffId },
        email: { template: 'staff-rule-paused', values: { 'rule.name': name } }
      })
    }
  })
}

const admins = prepared(db =>
  db
    .selectFrom('staff')
    .where('role', '=', sql.lit('admin' as const))
    .where('is_active', '=', sql.lit(true))
    .select(['id', 'email'])
    .orderBy('id')
)
