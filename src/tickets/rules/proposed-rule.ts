import { Type } from 'typebox'
import type { Db } from '../../core/db.ts'
import { type Failure, MissingFields } from '../../kit/errors.ts'
import { Id } from '../../kit/schemas.ts'
import { blankRule, definitionWith, type RuleFields } from './rule-definition.ts'
import { ruleFieldsToChange } from './rule-schemas.ts'
import type { RuleDefinition } from './rule-types.ts'
import { ruleWithId } from './rules.ts'

const RuleToTry = Type.Object(ruleFieldsToChange, {
  description:
    'A rule that need not be saved, with `trigger` and `actions`; beside `rule_id` only what would be changed.'
})

/** The fields of a request that say which rule is meant. */
export const proposedRuleFields = { rule: Type.Optional(RuleToTry), rule_id: Type.Optional(Id(7)) }

interface Proposal {
  rule?: RuleFields
  rule_id?: number
}

/** Whether a request says which rule it means. */
export function hasRule({ rule, rule_id }: Proposal): boolean {
  return rule !== undefined || rule_id !== undefined
}

/** A rule as it would be; `id`: 0 if it is not saved. */
export interface ProposedRule extends RuleDefinition {
  id: number
}

/**
 * The rule that a request means: a saved one, a saved one as these fields would change it, or one that is not saved. Throws `MissingFields`,
 * `RuleNotFound`, and `InvalidFields` for what could not be saved.
 */
export async function proposedRule(db: Db, { rule, rule_id: id }: Proposal): Promise<ProposedRule> {
  if (id !== undefined) {
    const former = await ruleWithId(db, id)
    return { ...(rule ? await definitionWith(db, former, rule) : former), id }
  }
  if (!rule) throw lacking(['rule_id'])
  const missing = (['trigger', 'actions'] as const).filter(name => rule[name] === undefined)
  if (missing.length > 0) throw lacking(missing.map(name => `rule.${name}`))
  return { ...(await definitionWith(db, blankRule, rule)), id: 0 }
}

/** A request lacks these fields. */
export function lacking(errors: readonly string[]): Failure {
  return MissingFields({ message: `Missing required fields: ${errors.join(', ')}`, errors })
}
