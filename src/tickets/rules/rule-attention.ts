import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { type Attention, attentionOf } from '../actions/attention.ts'
import { usesIn } from '../conditions/uses-in-conditions.ts'
import { usesOfTimer } from './rule-definition.ts'
import type { Rule } from './rule-types.ts'

/** R5: so many stops of a pair within a day mean that two rules fight. */
const manyStops = 20

/** Why each of these rules does not do all that it says: what it names is out of use, or another rule sets back what it sets. */
export async function attentionOfRules(db: Db, rules: readonly Rule[]): Promise<Attention[][]> {
  const ofActions = await attentionOf(
    db,
    rules.map(({ trigger, conditions, actions }) => ({
      actions,
      asked: usesIn(conditions),
      others: usesOfTimer(trigger)
    }))
  )
  const pairs = await fighting(db, { stops: manyStops })
  return rules.map(({ id }, at) => {
    const fights = pairs.flatMap(({ rule_id, other_id, name, other_name, stops }) => {
      if (rule_id !== id && other_id !== id) return []
      const other = rule_id === id ? other_name : name
      const text = `It was stopped ${stops} times within a day: it and “${other}” fight`
      return [{ reason: 'fights', text, name: other, count: stops }]
    })
    return [...ofActions[at]!, ...fights]
  })
}

const fighting = prepared((db, p: { stops: number }) => {
  const text = sql<{ rule_id: number; other_id: number; name: string; other_name: string; stops: number }>`
    with pairs as (
      select least(rule_id, (detail->>'by_rule')::bigint) as rule_id,
        greatest(rule_id, (detail->>'by_rule')::bigint) as other_id, count(*) as stops
      from rule_runs
      where at > (select coalesce(max(at), now()) from rule_runs) - interval '1 day'
        and outcome = 'stopped' and detail->>'reason' = 'chain' and (detail->>'by_rule')::bigint <> rule_id
      group by 1, 2 having count(*) >= ${p.stops})
    select pairs.rule_id, pairs.other_id, pairs.stops::integer, says.name, other_says.name as other_name
    from pairs
    join rules on rules.id = pairs.rule_id
    join rule_versions as says on says.rule_id = rules.id and says.version = rules.version
    join rules as other on other.id = pairs.other_id
    join rule_versions as other_says on other_says.rule_id = other.id and other_says.version = other.version
    order by 1, 2`
  return { compile: () => text.compile(db) }
})
