import type { DataOf } from '@deskline/client'
import { t } from '../../../lib/strings.ts'
import { comingTimeInText, numberText } from '../../../lib/times.ts'
import { actionText } from '../actions/action-words.ts'
import type { ActionChoices } from '../actions/use-action-choices.ts'
import type { Condition } from '../sentence/condition-fields.ts'
import { lineText } from '../sentence/conditions-text.tsx'
import type { ConditionValues } from '../sentence/use-condition-values.ts'
import type { RuleDraft } from './rule.ts'

export type Trial = DataOf<'/api/admin/rules/test'>['results'][number]
type Change = Trial['changes'][number]

/** The names of what a trial tells. */
export interface TrialReading {
  values: ConditionValues
  choices: ActionChoices
}

/** "Assignee nobody → Jonas · + urgent": what would change, and what else would be done. */
export function trialText({ changes, actions }: Trial, draft: RuleDraft, { values, choices }: TrialReading): string {
  const others = draft.actions.filter(({ kind }, at) => withoutChange.includes(kind) && actions[at]?.[kind] === 'done')
  return [
    ...changes.map(change => changeText(change, values)),
    ...others.map(action => actionText(action, choices))
  ].join(' · ')
}

/** What changes no property of the ticket. */
const withoutChange = ['note', 'email_client', 'notify_staff', 'watch', 'webhook']

function changeText({ field, before, after }: Change, values: ConditionValues): string {
  if (field === 'snoozed_until') return t('rules.snoozedUntil', { until: comingTimeInText(new Date(String(after))) })
  if (field === 'tags') {
    const [was, is] = [before, after].map(names => [names ?? []].flat().map(String))
    const added = is!.filter(name => !was!.includes(name)).map(name => `+ ${name}`)
    const removed = was!.filter(name => !is!.includes(name)).map(name => `− ${name}`)
    return [...added, ...removed].join(', ')
  }
  const textOf = (value: unknown) =>
    value === null || value === undefined
      ? t(field === 'assigned_staff_id' ? 'actions.nobody' : 'rules.notSet')
      : values.valueText({ field, op: 'in', value: [value].flat() as (string | number)[] })
  return `${values.fieldText({ field, op: '' })} ${textOf(before)} → ${textOf(after)}`
}

/** "The condition that failed most: Department is Billing (498 of 512)." */
export function mostFailed(trials: readonly Trial[], draft: RuleDraft, { values }: TrialReading): string | undefined {
  const fails = draft.conditions.all.map(({ any }, group) => ({
    any: any as Condition[],
    count: trials.filter(({ conditions }) => !conditions[group]?.some(({ fits }) => fits)).length
  }))
  const [most] = fails.toSorted((one, other) => other.count - one.count)
  if (!most || most.count === 0) return undefined
  const text = lineText(most.any, values)
  return t('rules.mostFailed', { text, failed: numberText(most.count), total: numberText(trials.length) })
}
