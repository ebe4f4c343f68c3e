import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import type { UsingKind } from '../tables/definitions.ts'

interface Wanted {
  ids: readonly number[]
  /** The member of staff who asks; null for the system. */
  staff: number | null
}

/**
 * The definitions that still exist, with their names, by kind. Personal views and macros of others are left out: nobody but their owners knows of them, and
 * they hold nothing back.
 */
const named: Record<UsingKind, (db: Db, p: Wanted) => Promise<{ id: number; name: string }[]>> = {
  view: prepared((db, p: Wanted) =>
    db
      .selectFrom('ticket_views')
      .where(({ or, eb }) => or([eb('is_shared', '=', sql.lit(true)), eb('personal_to', '=', p.staff)]))
      .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
      .select(['id', 'name'])
  ),
  sla_policy: prepared((db, p: Wanted) =>
    db.selectFrom('sla_policies').where('id', '=', sql<number>`any(${p.ids}::bigint[])`).select(['id', 'name'])
  ),
  macro: prepared((db, p: Wanted) =>
    db
      .selectFrom('macros')
      .where(({ or, eb }) => or([eb('staff_id', 'is', null), eb('staff_id', '=', p.staff)]))
      .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
      .select(['id', 'name'])
  ),
  ticket_form: prepared((db, p: Wanted) =>
    db.selectFrom('ticket_forms').where('id', '=', sql<number>`any(${p.ids}::bigint[])`).select(['id', 'name'])
  ),
  rule: prepared((db, p: Wanted) =>
    db
      .selectFrom('rules')
      .innerJoin('rule_versions as says', join =>
        join.onRef('says.rule_id', '=', 'rules.id').onRef('says.version', '=', 'rules.version')
      )
      .where('rules.id', '=', sql<number>`any(${p.ids}::bigint[])`)
      .select(['rules.id', 'says.name'])
  )
}

export const usingKinds = Object.keys(named) as UsingKind[]

/** The names of these definitions, by id; those that are gone, or not to be seen, are missing. */
export async function definitionNames(db: Db, kind: UsingKind, wanted: Wanted): Promise<Map<number, string>> {
  return new Map((await named[kind](db, wanted)).map(({ id, name }) => [id, name]))
}
