import { type Static, Type } from 'typebox'
import type { Db } from '../../core/db.ts'
import { slaMetrics, slaPauses, slaReopenings } from '../../core/tables/sla-policies.ts'
import { BooleanInput, Flag, Id, Name, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { Conditions } from '../conditions/schemas.ts'
import { namedConditions } from '../conditions/stored-conditions.ts'
import { Priority } from '../ticket/schemas.ts'
import { slaPolicies } from './policies.ts'
import { type PolicyWarning, warningsAbout } from './policy-checks.ts'
import type { SlaPolicy } from './policy-types.ts'

const Metric = OneOf(slaMetrics)

const longestMinutes = 525_600

export const SlaTargetView = Type.Object(
  {
    metric: Metric,
    priority: Priority,
    minutes: Type.Integer({
      minimum: 1,
      maximum: longestMinutes,
      examples: [240],
      description: 'Of open time of the calendar, at most a year.'
    }),
    calendar_id: Id(2)
  },
  { additionalProperties: false }
)

/** The fields of a policy, as they are sent. */
export const policyFields = {
  name: Name(100, 'Standard'),
  conditions: Conditions,
  targets: Type.Array(SlaTargetView, {
    maxItems: 12,
    description: 'One of each metric and priority at most. Without one, nothing is promised.'
  }),
  pause_on: Type.Array(OneOf(slaPauses), {
    maxItems: slaPauses.length,
    examples: [['answered']],
    description: 'While a ticket is in one of these states, its time to the solution stands.'
  }),
  on_reopen: {
    ...OneOf(slaReopenings),
    description: 'A ticket that is reopened goes on with the time that was left, or begins anew.'
  },
  warn_minutes: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: longestMinutes,
      examples: [30],
      description: 'Staff are warned this many minutes of open time before; null: not at all.'
    })
  ),
  is_active: BooleanInput(1)
}

/** The same where each may be left out. */
export const policyFieldsToChange = {
  name: Type.Optional(policyFields.name),
  conditions: Type.Optional(policyFields.conditions),
  targets: Type.Optional(policyFields.targets),
  pause_on: Type.Optional(policyFields.pause_on),
  on_reopen: Type.Optional(policyFields.on_reopen),
  warn_minutes: Type.Optional(policyFields.warn_minutes),
  is_active: Type.Optional(policyFields.is_active)
}

export const applyToOpen = Type.Optional({
  ...BooleanInput(1),
  description:
    '1: the policy of every open ticket is chosen anew at once. By default it is chosen anew by the next change of a ticket.'
})

export const SlaPolicyView = Type.Object({
  id: Id(3),
  name: OutputText('Standard'),
  position: Type.Integer({ minimum: 1, examples: [1] }),
  conditions: Conditions,
  targets: Type.Array(SlaTargetView),
  pause_on: policyFields.pause_on,
  on_reopen: policyFields.on_reopen,
  warn_minutes: policyFields.warn_minutes,
  is_active: Flag(),
  is_archived: Flag(0),
  version: Version,
  created_at: Timestamp(),
  updated_at: Timestamp()
})

/** What may not be meant, but is saved all the same. */
export const SlaPolicyWarning = Type.Object({
  kind: OneOf(['never_reached']),
  policy_id: Id(3),
  by: Type.Object({ id: Id(1), name: OutputText('Everybody') }),
  text: OutputText('“Standard” never takes a ticket: “Everybody” above it takes all of them')
})
const PolicyWarnings = Type.Array(SlaPolicyWarning)

/** The data about one policy. */
export const policyData = Type.Object({ policy: SlaPolicyView, warnings: PolicyWarnings })

export async function policyView(db: Db, policy: SlaPolicy): Promise<Static<typeof policyData>> {
  const warnings = warningsAbout(await slaPolicies(db)).filter(warning => warning.policy.id === policy.id)
  const [view] = await viewsOf(db, [policy])
  return { policy: view!, warnings: warnings.map(warningView) }
}

/** The data about all of them, in their order. */
export const policiesData = Type.Object({ policies: Type.Array(SlaPolicyView), warnings: PolicyWarnings })

export async function policiesView(db: Db, policies: readonly SlaPolicy[]): Promise<Static<typeof policiesData>> {
  return { policies: await viewsOf(db, policies), warnings: warningsAbout(policies).map(warningView) }
}

async function viewsOf(db: Db, policies: readonly SlaPolicy[]): Promise<Static<typeof SlaPolicyView>[]> {
  const conditions = await namedConditions(
    db,
    policies.map(policy => policy.conditions)
  )
  return policies.map((policy, at) => ({
    ...policy,
    conditions: conditions[at]!,
    targets: [...policy.targets],
    pause_on: [...policy.pause_on],
    is_active: bit(policy.is_active),
    is_archived: bit(policy.is_archived),
    created_at: timestamp(policy.created_at),
    updated_at: timestamp(policy.updated_at)
  }))
}

function warningView({ policy, by }: PolicyWarning): Static<typeof SlaPolicyWarning> {
  return {
    kind: 'never_reached',
    policy_id: policy.id,
    by: { id: by.id, name: by.name },
    text: `“${policy.name}” never takes a ticket: “${by.name}” above it takes all of them`
  }
}
