import type { Static } from 'typebox'
import type { Db } from '../../core/db.ts'
import { type ClockImpact, clockImpact } from './impact.ts'
import { slaPolicies, slaPolicy } from './policies.ts'
import { checkPolicy } from './policy-checks.ts'
import { defaultPolicy, definitionWith, type SlaPolicyFields } from './policy-definition.ts'
import type { SlaPolicy } from './policy-types.ts'
import { withCalendars } from './world.ts'

/**
 * What would change of the clocks of open tickets, were these fields saved and applied to open tickets; without `id` those of a new policy after
 * all others. Nothing is written. Throws `SlaPolicyNotFound`, `InvalidFields`.
 */
export async function policyImpact(
  db: Db,
  { id, ...fields }: SlaPolicyFields & { id?: number },
  now: Date,
  signal: AbortSignal
): Promise<Static<typeof ClockImpact>> {
  const former = id === undefined ? undefined : await slaPolicy(db, id)
  const wanted = await definitionWith(db, former ?? defaultPolicy, fields)
  await checkPolicy(db, wanted, former)
  const policies = await slaPolicies(db)
  const proposed = former
    ? policies.map(policy => (policy.id === former.id ? changed(policy, wanted) : policy))
    : [...policies, added(wanted, policies, now)]
  const desk = await withCalendars(db, proposed)
  return await clockImpact(db, desk, { what: 'recomputed', cause: 'policy', chooses: true }, now, signal)
}

type Wanted = Awaited<ReturnType<typeof definitionWith>>

function changed(policy: SlaPolicy, wanted: Wanted): SlaPolicy {
  return { ...policy, ...wanted, version: policy.version + 1 }
}

/** As it would be saved, with an id that none has. */
function added(wanted: Wanted, policies: readonly SlaPolicy[], now: Date): SlaPolicy {
  const times = { created_at: now, updated_at: now }
  return { ...wanted, id: 0, position: policies.length + 1, is_archived: false, version: 1, ...times }
}
