import { isDeepStrictEqual } from 'node:util'
import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Db } from '../../core/db.ts'
import { saveUses } from '../../core/definitions/uses.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import type { Action } from '../actions/action-values.ts'
import { tagsInAction } from '../conditions/tags-in-actions.ts'
import { createMissingTags } from '../tags/change-tags.ts'
import { type ExistingTickets, requireExpectedCount, takesExisting } from './existing-tickets.ts'
import { blankRule, definitionWith, factsOf, type RuleFields, usesOfRule } from './rule-definition.ts'
import type { Rule, Trigger } from './rule-types.ts'
import { allRules, ruleWithId } from './rules.ts'
import { beginTimers, endTimers } from './timers.ts'
import { insertRule, lockRules, removeRule, rewriteRule, writeOrder } from './write-rule.ts'

const maxRules = 200

export const TooManyRules = failure(409, 'too_many_rules', `There are ${maxRules} rules already: delete one first`)

type Versioned = { id: number; expected_version?: number }

/** Adds a rule, which runs after all others. Throws `InvalidFields`, `TooManyRules`. */
export async function createRule(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  fields: RuleFields & { name: string; trigger: Trigger; actions: Action[]; create_tags?: 0 | 1 }
): Promise<Rule> {
  const proposed = fields.include_existing === 1 ? await definitionWith(services.db, blankRule, fields) : undefined
  if (proposed && fields.is_active === 1)
    await requireExpectedCount(services.db, { ...proposed, id: 0 }, fields, services.clock.now())
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    await lockRules(db)
    const others = await allRules(db)
    if (others.length >= maxRules) throw TooManyRules()
    if (fields.create_tags === 1) await createMissingTags(act, fields.actions.flatMap(tagsInAction).map(String))
    const wanted = await definitionWith(db, blankRule, fields)
    const is_active = fields.is_active === 1
    const id = await insertRule(db, wanted, { is_active, position: others.length + 1, by: actor, now })
    await saveUses(db, usingRule(id), await usesOfRule(db, wanted))
    const takes = takesExisting(wanted, fields, { begins: is_active })
    await beginTimers(db, await ruleWithId(db, id), now, { takesExisting: takes })
    act.happened({ kind: 'rule.created', subject: subjectOf(id), after: await factsOf(db, { ...wanted, is_active }) })
    return await ruleWithId(db, id)
  })
}

/** Changes the given fields, as a new version. Throws `RuleNotFound`, `InvalidFields`, `VersionConflict`. */
export async function updateRule(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version, ...fields }: RuleFields & Versioned
): Promise<Rule> {
  const counted = fields.include_existing === 1 ? await ruleWithId(services.db, id) : undefined
  if (counted) {
    const proposed = await definitionWith(services.db, counted, fields)
    await requireExpectedCount(services.db, { ...proposed, id }, fields, services.clock.now())
  }
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    await lockRules(db)
    const former = await ruleWithId(db, id)
    requireVersion(former.version, expected_version ?? counted?.version)
    const wanted = await definitionWith(db, former, fields)
    const is_active = fields.is_active === undefined ? former.is_active : fields.is_active === 1
    const [before, after] = [await factsOf(db, former), await factsOf(db, { ...wanted, is_active })]
    const changed = (Object.keys(after) as (keyof typeof after)[]).filter(
      name => !isDeepStrictEqual(before[name], after[name])
    )
    const begins = ['trigger', 'is_active'].some(name => changed.includes(name as keyof typeof after))
    const runs = is_active && (former.paused_reason === null || !former.is_active)
    const takes = takesExisting(wanted, fields, { begins: begins && runs })
    if (changed.length === 0) return former

    const starts = is_active && !former.is_active
    const state = { is_active, paused_reason: starts ? null : former.paused_reason, active_since: starts ? now : null }
    await rewriteRule(act, actor, id, wanted, state)
    await saveUses(db, usingRule(id), await usesOfRule(db, wanted))
    if (begins) await beginTimers(db, await ruleWithId(db, id), now, { takesExisting: takes })
    const pick = (facts: typeof after) => ({
      name: facts.name,
      ...Object.fromEntries(changed.map(name => [name, facts[name]]))
    })
    act.happened({ kind: 'rule.updated', subject: subjectOf(id), before: pick(before), after: pick(after) })
    return await ruleWithId(db, id)
  })
}

/** Lets a rule stand still; what happens meanwhile passes it by. Throws `RuleNotFound`, `VersionConflict`. */
export async function pauseRule(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  given: Versioned
): Promise<Rule> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedRule(db, given)
    if (former.paused_reason !== null) return former
    const { id, name, is_active } = former
    await rewriteRule(act, actor, id, former, { is_active, paused_reason: 'staff', active_since: null })
    await endTimers(db, { id })
    act.happened({ kind: 'rule.paused', subject: subjectOf(id), after: { name, reason: 'staff' } })
    return await ruleWithId(db, id)
  })
}

/** Lets a paused rule go on with what happens from now on. Throws `RuleNotFound`, `VersionConflict`. */
export async function resumeRule(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  given: Versioned & ExistingTickets
): Promise<Rule> {
  const counted = given.include_existing === 1 ? await ruleWithId(services.db, given.id) : undefined
  if (counted) await requireExpectedCount(services.db, counted, given, services.clock.now())
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    const former = await lockedRule(db, { expected_version: counted?.version, ...given })
    const { id, name, is_active, paused_reason: reason } = former
    const takes = takesExisting(former, given, { begins: is_active && reason !== null })
    if (reason === null) return former
    await rewriteRule(act, actor, id, former, { is_active, paused_reason: null, active_since: now })
    await beginTimers(db, await ruleWithId(db, id), now, { takesExisting: takes })
    act.happened({ kind: 'rule.resumed', subject: subjectOf(id), before: { name, reason } })
    return await ruleWithId(db, id)
  })
}

/** Deletes a rule with the log of its runs. Throws `RuleNotFound`, `VersionConflict`. */
export async function deleteRule(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  given: Versioned
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedRule(db, given)
    await removeRule(db, { id: former.id })
    await writeOrder(db, idsOf(await allRules(db)))
    act.happened({ kind: 'rule.deleted', subject: subjectOf(former.id), before: await factsOf(db, former) })
  })
}

/**
 * Sets the order in which the rules run: those named come first, in this order, the others follow as they were. Throws `InvalidFields` for a rule
 * that is named twice or does not exist.
 */
export async function reorderRules(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { ids }: { ids: number[] }
): Promise<Rule[]> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    await lockRules(db)
    const former = idsOf(await allRules(db))
    const unknown = ids.find((id, at) => !former.includes(id) || ids.indexOf(id) !== at)
    if (unknown !== undefined) {
      const message = former.includes(unknown) ? `ids names the rule ${unknown} twice` : `There is no rule ${unknown}`
      throw InvalidFields({ message, errors: ['ids'] })
    }
    const wanted = [...ids, ...former.filter(id => !ids.includes(id))]
    if (!isDeepStrictEqual(former, wanted)) {
      await writeOrder(db, wanted)
      act.happened({
        kind: 'rule.reordered',
        subject: subjectOf(null),
        before: { ids: former },
        after: { ids: wanted }
      })
    }
    return await allRules(db)
  })
}

async function lockedRule(db: Db, { id, expected_version }: Versioned): Promise<Rule> {
  await lockRules(db)
  const rule = await ruleWithId(db, id)
  requireVersion(rule.version, expected_version)
  return rule
}

function usingRule(id: number) {
  return { kind: 'rule', id } as const
}

function idsOf(rules: readonly Rule[]): number[] {
  return rules.map(({ id }) => id)
}

function subjectOf(id: number | null) {
  return { type: 'rule', id } as const
}
