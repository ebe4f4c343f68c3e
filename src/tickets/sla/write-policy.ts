import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { SlaPolicyDefinition, SlaTarget } from './policy-types.ts'

/** Adds a policy with its targets. Returns its id. */
export async function insertPolicy(
  db: Db,
  { targets, ...definition }: SlaPolicyDefinition,
  position: number,
  now: Date
): Promise<number> {
  const [added] = await insert(db, { ...definition, conditions: JSON.stringify(definition.conditions), position, now })
  await insertTargets(db, { id: added!.id, targets: JSON.stringify(targets) })
  return added!.id
}

/** Makes a policy say this, as its next version. */
export async function rewritePolicy(
  db: Db,
  id: number,
  { targets, ...definition }: SlaPolicyDefinition,
  now: Date
): Promise<void> {
  await rewrite(db, { id, ...definition, conditions: JSON.stringify(definition.conditions), now })
  await removeTargets(db, { id })
  await insertTargets(db, { id, targets: JSON.stringify(targets) })
}

/** Gives these policies the positions from 1 on. */
export async function writeOrder(db: Db, ids: readonly number[]): Promise<void> {
  await renumber(db, { ids })
}

type Written = Omit<SlaPolicyDefinition, 'targets' | 'conditions'> & { conditions: string; now: Date }

const insert = prepared((db, p: Written & { position: number }) =>
  db
    .insertInto('sla_policies')
    .values({
      name: p.name,
      position: p.position,
      is_active: p.is_active,
      conditions: p.conditions,
      pause_on: p.pause_on,
      on_reopen: p.on_reopen,
      warn_minutes: p.warn_minutes,
      created_at: p.now,
      updated_at: p.now
    })
    .returning('id')
)

const rewrite = prepared((db, p: Written & { id: number }) =>
  db
    .updateTable('sla_policies')
    .where('id', '=', p.id)
    .set(eb => ({
      name: p.name,
      is_active: p.is_active,
      conditions: p.conditions,
      pause_on: p.pause_on,
      on_reopen: p.on_reopen,
      warn_minutes: p.warn_minutes,
      version: eb('version', '+', 1),
      updated_at: p.now
    }))
)

export const rewriteArchived = prepared((db, p: { id: number; isArchived: boolean; now: Date }) =>
  db
    .updateTable('sla_policies')
    .where('id', '=', p.id)
    .set(eb => ({ is_archived: p.isArchived, version: eb('version', '+', 1), updated_at: p.now }))
)

export const removePolicy = prepared((db, p: { id: number }) => db.deleteFrom('sla_policies').where('id', '=', p.id))

const removeTargets = prepared((db, p: { id: number }) => db.deleteFrom('sla_targets').where('policy_id', '=', p.id))

const insertTargets = prepared((db, p: { id: number; targets: string }) =>
  db
    .insertInto('sla_targets')
    .columns(['policy_id', 'metric', 'priority', 'minutes', 'calendar_id'])
    .expression(
      db
        .selectFrom(
          sql<SlaTarget>`json_to_recordset(${p.targets}::json)`.as<'target'>(
            sql`target(metric text, priority text, minutes integer, calendar_id bigint)`
          )
        )
        .select([sql<number>`${p.id}::bigint`.as('policy_id'), 'metric', 'priority', 'minutes', 'calendar_id'])
    )
)

const renumber = prepared((db, p: { ids: readonly number[] }) =>
  db
    .updateTable('sla_policies')
    .from(
      sql<{ id: number; place: number }>`unnest(${p.ids}::bigint[]) with ordinality`.as<'wanted'>(
        sql`wanted(id, place)`
      )
    )
    .whereRef('sla_policies.id', '=', 'wanted.id')
    .set({ position: sql<number>`wanted.place` })
)
