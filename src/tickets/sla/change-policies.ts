import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import type { Db } from '../../core/db.ts'
import { type NamedThing, saveUses } from '../../core/definitions/uses.ts'
import { catchUpWithLog } from '../../core/events/follow-log.ts'
import { sequence } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { poolOf } from '../../platform/db/outer-transaction.ts'
import { namedConditions } from '../conditions/stored-conditions.ts'
import { usesIn } from '../conditions/uses-in-conditions.ts'
import { slaReader } from './clock-reader.ts'
import { slaPolicies, slaPolicy } from './policies.ts'
import { checkPolicy } from './policy-checks.ts'
import { defaultPolicy, definitionWith, type SlaPolicyFields } from './policy-definition.ts'
import type { SlaPolicy, SlaPolicyDefinition, SlaTarget } from './policy-types.ts'
import { insertPolicy, removePolicy, rewriteArchived, rewritePolicy, writeOrder } from './write-policy.ts'

const maxPolicies = 100

export const TooManySlaPolicies = failure(
  409,
  'too_many_sla_policies',
  `There are ${maxPolicies} SLA policies already: archive one first`
)

export const SlaPolicyHasClocks = failure(
  409,
  'sla_policy_has_clocks',
  'The due times of tickets were counted by this policy: archive it, so that they can still be explained'
)

/** With a change: the policy of every open ticket is chosen anew at once, not only by the next change of a ticket. */
interface Applying {
  apply_to_open?: 0 | 1
}

type PolicyServices = Pick<Services, 'db' | 'clock' | 'events'>

type Versioned = { id: number; expected_version?: number }

/** Adds a policy, which is tried after all others. Throws `InvalidFields`, `TooManySlaPolicies`. */
export async function createSlaPolicy(
  services: PolicyServices,
  actor: StaffActor,
  caller: Caller,
  { apply_to_open, ...fields }: SlaPolicyFields & Applying & { name: string; targets: SlaTarget[] }
): Promise<SlaPolicy> {
  return await changePolicies(services, actor, caller, async act => {
    const { db } = act
    const kept = (await lockedPolicies(db)).filter(({ is_archived }) => !is_archived)
    if (kept.length >= maxPolicies) throw TooManySlaPolicies()
    const wanted = await definitionWith(db, defaultPolicy, fields)
    await checkPolicy(db, wanted)
    const id = await insertPolicy(db, wanted, kept.length + 1, act.now)
    await saveUses(db, usingPolicy(id), usesOfPolicy(wanted))
    act.happened({
      kind: 'sla_policy.created',
      subject: subjectOf(id),
      after: { ...(await factsOf(db, wanted)), ...applied(apply_to_open) }
    })
    return await slaPolicy(db, id)
  })
}

/** Changes the given fields; targets are replaced as a whole. Throws `SlaPolicyNotFound`, `InvalidFields`, `VersionConflict`. */
export async function updateSlaPolicy(
  services: PolicyServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version, apply_to_open, ...fields }: SlaPolicyFields & Applying & Versioned
): Promise<SlaPolicy> {
  return await changePolicies(services, actor, caller, async act => {
    const { db } = act
    await lockedPolicies(db)
    const former = await slaPolicy(db, id)
    requireVersion(former.version, expected_version)
    const wanted = await definitionWith(db, former, fields)
    await checkPolicy(db, wanted, former)
    const changed = changedNames(former, wanted)
    if (changed.length === 0 && !apply_to_open) return former

    if (changed.length > 0) {
      await rewritePolicy(db, id, wanted, act.now)
      if (!former.is_archived) await saveUses(db, usingPolicy(id), usesOfPolicy(wanted))
    }
    act.happened({
      kind: 'sla_policy.updated',
      subject: subjectOf(id),
      before: picked(await factsOf(db, former), changed),
      after: { ...picked(await factsOf(db, wanted), changed), ...applied(apply_to_open) }
    })
    return await slaPolicy(db, id)
  })
}

/** Takes a policy out of use: it takes no tickets any more, and its clocks end. Throws `SlaPolicyNotFound`, `VersionConflict`. */
export async function archiveSlaPolicy(
  services: PolicyServices,
  actor: StaffActor,
  caller: Caller,
  given: Versioned
): Promise<SlaPolicy> {
  return await setArchived(services, actor, caller, given, true)
}

/** Takes an archived policy back into use, after all others. Throws `SlaPolicyNotFound`, `VersionConflict`, `TooManySlaPolicies`. */
export async function unarchiveSlaPolicy(
  services: PolicyServices,
  actor: StaffActor,
  caller: Caller,
  given: Versioned & Applying
): Promise<SlaPolicy> {
  return await setArchived(services, actor, caller, given, false)
}

async function setArchived(
  services: PolicyServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version, apply_to_open }: Versioned & Applying,
  isArchived: boolean
): Promise<SlaPolicy> {
  return await changePolicies(services, actor, caller, async act => {
    const { db } = act
    const policies = await lockedPolicies(db)
    const former = await slaPolicy(db, id)
    requireVersion(former.version, expected_version)
    if (former.is_archived === isArchived) return former

    const others = policies.filter(policy => !policy.is_archived && policy.id !== id)
    if (!isArchived && others.length >= maxPolicies) throw TooManySlaPolicies()
    await rewriteArchived(db, { id, isArchived, now: act.now })
    await saveUses(db, usingPolicy(id), isArchived ? [] : usesOfPolicy(former))
    await writeOrder(db, isArchived ? idsOf(others) : [...idsOf(others), id])
    const { name } = former
    if (isArchived) act.happened({ kind: 'sla_policy.archived', subject: subjectOf(id), after: { name } })
    else {
      act.happened({
        kind: 'sla_policy.unarchived',
        subject: subjectOf(id),
        after: { name, ...applied(apply_to_open) }
      })
    }
    return await slaPolicy(db, id)
  })
}

/** Deletes a policy by which no clock was ever counted. Throws `SlaPolicyNotFound`, `VersionConflict`, `SlaPolicyHasClocks`. */
export async function deleteSlaPolicy(
  services: PolicyServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version }: Versioned
): Promise<void> {
  await changePolicies(services, actor, caller, async act => {
    const { db } = act
    const policies = await lockedPolicies(db)
    const former = await slaPolicy(db, id)
    requireVersion(former.version, expected_version)
    await unlessCounted(() => removePolicy(db, { id }))
    await writeOrder(db, idsOf(policies.filter(policy => !policy.is_archived && policy.id !== id)))
    act.happened({ kind: 'sla_policy.deleted', subject: subjectOf(id), before: await factsOf(db, former) })
  })
}

/**
 * Sets the order in which the policies are tried: those named come first, in this order, the others follow as they were. Throws `InvalidFields` for a
 * policy that is named twice, does not exist or is archived.
 */
export async function reorderSlaPolicies(
  services: PolicyServices,
  actor: StaffActor,
  caller: Caller,
  { ids, apply_to_open }: { ids: number[] } & Applying
): Promise<SlaPolicy[]> {
  return await changePolicies(services, actor, caller, async act => {
    const { db } = act
    const former = idsOf((await lockedPolicies(db)).filter(({ is_archived }) => !is_archived))
    const unknown = ids.find((id, at) => !former.includes(id) || ids.indexOf(id) !== at)
    if (unknown !== undefined) {
      const message = former.includes(unknown)
        ? `ids names the policy ${unknown} twice`
        : `There is no policy ${unknown} that can be moved`
      throw InvalidFields({ message, errors: ['ids'] })
    }
    const wanted = [...ids, ...former.filter(id => !ids.includes(id))]
    if (!isDeepStrictEqual(former, wanted) || apply_to_open) {
      await writeOrder(db, wanted)
      act.happened({
        kind: 'sla_policy.reordered',
        subject: subjectOf(null),
        before: { ids: former },
        after: { ids: wanted, ...applied(apply_to_open) }
      })
    }
    return await slaPolicies(db)
  })
}

/** What has happened until now counts by the policies of now: the log is read before they are changed, unless it is far behind. */
async function changePolicies<T>(
  services: PolicyServices,
  actor: StaffActor,
  caller: Caller,
  work: (act: Act) => Promise<T>
): Promise<T> {
  await sequence(services)
  await catchUpWithLog(poolOf(services.db), slaReader(services), { mostBatches: 10 })
  return await act(services, { actor, caller }, work)
}

/** All policies. Whoever else changes one waits until the transaction ends, so that positions and checks hold. */
async function lockedPolicies(db: Db): Promise<SlaPolicy[]> {
  await sql`lock table sla_policies in share row exclusive mode`.execute(db)
  return await slaPolicies(db)
}

/** The database knows whether clocks refer to it. */
async function unlessCounted<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'sla_clocks_policy_id_fkey') {
      throw SlaPolicyHasClocks()
    }
    throw error
  }
}

function applied(applyToOpen: 0 | 1 | undefined) {
  return applyToOpen ? { apply_to_open: true } : {}
}

/** What the log says of a policy, in the words of the API. */
async function factsOf(db: Db, policy: SlaPolicyDefinition): Promise<SlaPolicyDefinition> {
  const { name, targets, pause_on, on_reopen, warn_minutes, is_active } = policy
  const [conditions] = await namedConditions(db, [policy.conditions])
  return { name, conditions: conditions!, targets, pause_on, on_reopen, warn_minutes, is_active }
}

type FactName = keyof SlaPolicyDefinition

function changedNames(before: SlaPolicyDefinition, after: SlaPolicyDefinition): FactName[] {
  return (Object.keys(after) as FactName[]).filter(name => !isDeepStrictEqual(before[name], after[name]))
}

/** What a policy names: an archived one counts as none of their uses. */
function usesOfPolicy({ conditions, targets }: SlaPolicyDefinition): NamedThing[] {
  return [
    ...usesIn(conditions),
    ...targets.map(({ calendar_id: id }, at) => ({ kind: 'calendar' as const, id, where: `targets.${at}` }))
  ]
}

function usingPolicy(id: number) {
  return { kind: 'sla_policy', id } as const
}

/** The changed facts, and the name, by which people know it. */
function picked(facts: SlaPolicyDefinition, changed: readonly FactName[]) {
  return { name: facts.name, ...Object.fromEntries(changed.map(name => [name, facts[name]])) }
}

function idsOf(policies: readonly SlaPolicy[]): number[] {
  return policies.map(({ id }) => id)
}

function subjectOf(id: number | null) {
  return { type: 'sla_policy', id } as const
}
