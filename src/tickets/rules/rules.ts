import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { failure } from '../../kit/errors.ts'
import type { Rule } from './rule-types.ts'

export const RuleNotFound = failure(404, 'rule_not_found', 'There is no such rule')

/** All rules in the order in which they run. */
export async function allRules(db: Db): Promise<Rule[]> {
  // What is stored has passed the schema.
  return (await all(db, {})) as Rule[]
}

/** The rule with this id. Throws `RuleNotFound`. */
export async function ruleWithId(db: Db, id: number): Promise<Rule> {
  const [rule] = await byId(db, { id })
  if (!rule) throw RuleNotFound()
  return rule as Rule
}

/** Those of these rules that there are, in the order in which they run. */
export async function rulesWithIds(db: Db, ids: readonly number[]): Promise<Rule[]> {
  return (await byIds(db, { ids })) as Rule[]
}

const byIds = prepared((db, p: { ids: readonly number[] }) =>
  current(db).where('rules.id', '=', sql<number>`any(${p.ids}::bigint[])`).orderBy('rules.position').orderBy('rules.id')
)

const all = prepared(db => current(db).orderBy('rules.position').orderBy('rules.id'))

const byId = prepared((db, p: { id: number }) => current(db).where('rules.id', '=', p.id))

function current(db: Db) {
  return db
    .selectFrom('rules')
    .innerJoin('rule_versions as says', join =>
      join.onRef('says.rule_id', '=', 'rules.id').onRef('says.version', '=', 'rules.version')
    )
    .select([
      'rules.id',
      'rules.position',
      'rules.is_active',
      'rules.paused_reason',
      'rules.version',
      'rules.created_at',
      'rules.updated_at',
      'says.name',
      'says.trigger',
      'says.conditions',
      'says.actions',
      'says.watch_only'
    ])
}
