import { type Static, Type } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import { Flag, Nullable, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { Actions } from '../actions/schemas.ts'
import { namedActions } from '../actions/stored-actions.ts'
import { EventConditions } from '../conditions/schemas.ts'
import { namedConditions } from '../conditions/stored-conditions.ts'
import { StaffPerson } from '../ticket/desk-schemas.ts'
import { TriggerInput } from './rule-schemas.ts'
import type { RuleDefinition } from './rule-types.ts'
import { ruleWithId } from './rules.ts'

const mostVersions = 100

export const RuleVersionView = Type.Object({
  version: Version,
  name: OutputText('VIP first'),
  trigger: TriggerInput,
  conditions: EventConditions,
  actions: Actions,
  watch_only: Flag(0),
  // Null: a budget has paused it then, or whoever saved it is not known.
  by: Nullable(StaffPerson),
  created_at: Timestamp()
})

/** What a rule has said, the newest hundred versions, the present one first. Throws `RuleNotFound`. */
export async function ruleVersions(db: Db, id: number): Promise<Static<typeof RuleVersionView>[]> {
  await ruleWithId(db, id)
  // What is stored has passed the schema.
  const rows = (await ofRule(db, { id })) as (Row & RuleDefinition)[]
  const conditions = await namedConditions(
    db,
    rows.map(row => row.conditions)
  )
  const actions = await namedActions(
    db,
    rows.map(row => row.actions)
  )
  return rows.map(({ staff_id, first_name, last_name, ...row }, at) => ({
    ...row,
    conditions: conditions[at]!,
    actions: actions[at]!,
    watch_only: bit(row.watch_only),
    by: staff_id === null ? null : { id: staff_id, first_name: first_name!, last_name: last_name! },
    created_at: timestamp(row.created_at)
  }))
}

interface Row {
  version: number
  staff_id: number | null
  first_name: string | null
  last_name: string | null
  created_at: Date
}

const ofRule = prepared((db, p: { id: number }) =>
  db
    .selectFrom('rule_versions as says')
    .leftJoin('staff', 'staff.id', 'says.staff_id')
    .where('says.rule_id', '=', p.id)
    .select(['says.version', 'says.name', 'says.trigger', 'says.conditions', 'says.actions', 'says.watch_only'])
    .select(['says.created_at', 'says.staff_id', 'staff.first_name', 'staff.last_name'])
    .orderBy('says.version', 'desc')
    .limit(mostVersions)
)
