import { type Facts, fieldsIn, type JudgedCondition, judge } from '../conditions/judge-in-memory.ts'
import type { Conditions } from '../conditions/schemas.ts'

/** Which policy takes a ticket, and why. */
export interface PolicyChoice<P> {
  /** Undefined if none fits. */
  policy: P | undefined
  /** Its conditions that fitted, with what the ticket had. */
  fitted: JudgedCondition[]
  /** The policies before it, in their order, each with its first condition that failed. */
  passed_over: { policy: P; failed: JudgedCondition }[]
}

/** The first of these policies, in the order in which they are tried, whose conditions a ticket fits (S1). */
export function policyFor<P extends { conditions: Conditions }>(
  facts: Facts,
  policies: readonly P[],
  now: Date
): PolicyChoice<P> {
  const passed_over: PolicyChoice<P>['passed_over'] = []
  for (const policy of policies) {
    const { fitted, failed } = judge(policy.conditions, facts, now)
    if (!failed) return { policy, fitted, passed_over }
    passed_over.push({ policy, failed })
  }
  return { policy: undefined, fitted: [], passed_over }
}

/** The fields that these policies name: an event that changes none of them leaves a ticket its policy. */
export function fieldsNamed(policies: readonly { conditions: Conditions }[]): Set<string> {
  return new Set(policies.flatMap(({ conditions }) => [...fieldsIn(conditions)]))
}
