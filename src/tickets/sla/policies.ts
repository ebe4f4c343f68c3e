import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { SlaPolicyRow } from '../../core/tables/sla-policies.ts'
import { failure } from '../../kit/errors.ts'
import type { Conditions } from '../conditions/schemas.ts'
import type { SlaPolicy, SlaTarget } from './policy-types.ts'

export const SlaPolicyNotFound = failure(404, 'sla_policy_not_found', 'There is no such SLA policy')

/** All policies in the order in which they are tried, archived ones last. */
export async function slaPolicies(db: Db): Promise<SlaPolicy[]> {
  return (await all(db, {})).map(policyOf)
}

/** The policy with this id, archived ones too. Throws `SlaPolicyNotFound`. */
export async function slaPolicy(db: Db, id: number): Promise<SlaPolicy> {
  const [policy] = await byId(db, { id })
  if (!policy) throw SlaPolicyNotFound()
  return policyOf(policy)
}

type Row = SlaPolicyRow & { targets: SlaTarget[] }

function policyOf(row: Row): SlaPolicy {
  // Stored conditions have passed the schema.
  return { ...row, conditions: row.conditions as Conditions }
}

const columns = [
  'sla_policies.id',
  'sla_policies.name',
  'sla_policies.position',
  'sla_policies.is_active',
  'sla_policies.is_archived',
  'sla_policies.conditions',
  'sla_policies.pause_on',
  'sla_policies.on_reopen',
  'sla_policies.warn_minutes',
  'sla_policies.version',
  'sla_policies.created_at',
  'sla_policies.updated_at'
] as const

const targets = sql<SlaTarget[]>`(
  select coalesce(json_agg(json_build_object(
    'metric', metric, 'priority', priority, 'minutes', minutes, 'calendar_id', calendar_id)
    order by array_position(array['first_response', 'next_response', 'resolution'], metric),
      array_position(array['Critical', 'High', 'Medium', 'Low'], priority)), '[]')
  from sla_targets where policy_id = sla_policies.id)`

function withTargets(db: Db) {
  return db.selectFrom('sla_policies').select(columns).select(targets.as('targets'))
}

const all = prepared(db => withTargets(db).orderBy('is_archived').orderBy('position').orderBy('id'))

const byId = prepared((db, p: { id: number }) => withTargets(db).where('id', '=', p.id))
