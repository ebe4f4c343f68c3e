import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import type { Act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { PauseReason } from '../../core/tables/rules.ts'
import type { RuleDefinition } from './rule-types.ts'

/** Whether a rule runs, and since when; `null` keeps the time since when it does. */
interface State {
  is_active: boolean
  paused_reason: PauseReason | null
  active_since: Date | null
}

/** Adds a rule after all others. Returns its id. */
export async function insertRule(
  db: Db,
  definition: RuleDefinition,
  { is_active, position, by, now }: { is_active: boolean; position: number; by: StaffActor; now: Date }
): Promise<number> {
  const [added] = await insert(db, { is_active, position, now })
  await insertVersion(db, { rule: added!.id, version: 1, ...stored(definition), by: by.id, now })
  return added!.id
}

/** Makes a rule say this and be in this state, as its next version; `by`: null if it stands still by itself. */
export async function rewriteRule(
  { db, now }: Pick<Act, 'db' | 'now'>,
  by: StaffActor | null,
  id: number,
  definition: RuleDefinition,
  state: State
): Promise<void> {
  const [rule] = await nextVersion(db, { id, ...state, now })
  await insertVersion(db, { rule: id, version: rule!.version, ...stored(definition), by: by?.id ?? null, now })
}

/** Gives these rules the positions from 1 on. */
export async function writeOrder(db: Db, ids: readonly number[]): Promise<void> {
  await renumber(db, { ids })
}

/** Whoever else changes a rule waits until the transaction ends, so that positions and checks hold. */
export async function lockRules(db: Db): Promise<void> {
  await sql`lock table rules in share row exclusive mode`.execute(db)
}

function stored({ name, trigger, conditions, actions, watch_only }: RuleDefinition) {
  const [triggerText, conditionsText, actionsText] = [trigger, conditions, actions].map(part => JSON.stringify(part))
  return { name, trigger: triggerText!, conditions: conditionsText!, actions: actionsText!, watch_only }
}

const insert = prepared((db, p: { is_active: boolean; position: number; now: Date }) =>
  db
    .insertInto('rules')
    .values({
      position: p.position,
      is_active: p.is_active,
      paused_reason: null,
      active_since: p.now,
      created_at: p.now,
      updated_at: p.now
    })
    .returning('id')
)

const nextVersion = prepared((db, p: { id: number; now: Date } & State) =>
  db
    .updateTable('rules')
    .where('id', '=', p.id)
    .set(eb => ({
      is_active: p.is_active,
      paused_reason: p.paused_reason,
      active_since: sql<Date>`coalesce(${p.active_since}::timestamptz, active_since)`,
      version: eb('version', '+', 1),
      updated_at: p.now
    }))
    .returning('version')
)

type Version = { rule: number; version: number; by: number | null; now: Date } & ReturnType<typeof stored>

const insertVersion = prepared((db, p: Version) =>
  db.insertInto('rule_versions').values({
    rule_id: p.rule,
    version: p.version,
    name: p.name,
    trigger: p.trigger,
    conditions: p.conditions,
    actions: p.actions,
    watch_only: p.watch_only,
    staff_id: p.by,
    created_at: p.now
  })
)

export const removeRule = prepared((db, p: { id: number }) => db.deleteFrom('rules').where('id', '=', p.id))

const renumber = prepared((db, p: { ids: readonly number[] }) =>
  db
    .updateTable('rules')
    .from(
      sql<{ id: number; place: number }>`unnest(${p.ids}::bigint[]) with ordinality`.as<'wanted'>(
        sql`wanted(id, place)`
      )
    )
    .whereRef('rules.id', '=', 'wanted.id')
    .set({ position: sql<number>`wanted.place` })
)
