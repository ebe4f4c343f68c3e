import type { DataOf } from '@deskline/client'
import { skipReasonOf, skipReasons } from '../../../../../src/tickets/actions/skip-reasons.ts'
import { t } from '../../../lib/strings.ts'
import { fullTime, listText } from '../../../lib/times.ts'
import { actionText } from '../actions/action-words.ts'
import { type ActionKind, actionKinds, type EditedAction, editedActions, verbOf } from '../actions/edited-actions.ts'
import type { ActionChoices } from '../actions/use-action-choices.ts'
import type { Conditions } from '../sentence/condition-fields.ts'
import { lineText } from '../sentence/conditions-text.tsx'
import type { ConditionValues } from '../sentence/use-condition-values.ts'
import type { Rule } from './rule.ts'

export type ListedRun = DataOf<'/api/admin/rules/runs'>['runs'][number]
/** A run wherever it is shown. */
export type Run = Omit<ListedRun, 'ticket_number' | 'subject'>
export type RunAction = NonNullable<Run['detail']['actions']>[number]
export type RunCondition = NonNullable<Run['detail']['conditions']>[number][number]

/** What a run is read with: its rule, and the names of what that names. */
export interface Reading {
  /** As it is now: another version may have run. Undefined for those who do not see rules. */
  rule: Rule | undefined
  values: ConditionValues
  choices: ActionChoices
}

/** What a run did in a few words: "set priority to High, 1 part skipped". */
export function runText(run: Run, reading: Reading): string {
  const { outcome, detail } = run
  if (outcome === 'stopped') return stopText(run)
  if (outcome === 'failed') return t('rules.failedText')
  if (outcome === 'no_match') return unfitText(run, reading)
  const actions = detail.actions ?? []
  const done = actions.flatMap((action, at) => (isDone(action) ? [doneText(run, at, reading)] : []))
  const skipped = skippedOf(run)
  const parts = [...done, ...(skipped > 0 ? [t('rules.partsSkipped', { count: skipped })] : [])]
  return parts.join(', ') || t('rules.nothingToChange')
}

function stopText({ rule_id, detail: { reason = 'chain', by_rule } }: Run): string {
  if (reason === 'chain' && by_rule === rule_id) return t('rules.stopped.itself')
  return t(`rules.stopped.${reason}`)
}

/** How many actions were skipped for another reason than that there was nothing to change. */
export function skippedOf({ detail }: Run): number {
  return (detail.actions ?? []).filter(action => !isDone(action) && !isUnchanged(action)).length
}

export function isDone(action: RunAction): boolean {
  return action[kindOf(action)] === 'done'
}

export function isUnchanged({ why }: RunAction): boolean {
  return why === skipReasons.unchanged
}

/** Why an action was skipped; the words of a refusal as the API says them. */
export function whyText({ why }: RunAction): string | undefined {
  const known = why === undefined ? undefined : skipReasonOf(why)
  return known ? t(`rules.skip.${known.reason}`, { names: known.names }) : why
}

/** An action of a run as the rule says it; of another version only its kind is known. */
export function doneText({ version, detail }: Run, at: number, { rule, choices }: Reading): string {
  const action = detail.actions![at]!
  const kind = kindOf(action)
  const said = version === rule?.version ? editedActions(rule.actions)[at] : undefined
  const text = said?.kind === kind ? actionText(said, choices) : t(verbOf(kind))
  const was = wasText(kind, action, choices)
  return was ? `${text} ${was}` : text
}

/** "(was Medium)"; "(Jonas Weber)" where who was assigned in turn. */
function wasText(kind: ActionKind, { from, to }: RunAction, choices: ActionChoices): string {
  const nameOf = (value: unknown) =>
    actionText({ kind, value } as EditedAction, choices)
      .replace(t(verbOf(kind)), '')
      .trim()
  if (kind === 'assign' && typeof to === 'number') return `(${nameOf(to)})`
  if ((kind === 'set_status' || kind === 'set_priority') && from) return t('rules.was', { value: nameOf(from) })
  return ''
}

function kindOf(action: RunAction): ActionKind {
  return actionKinds.find(kind => action[kind] !== undefined)!
}

/** A condition as the rule says it, and what the ticket had; of another version only its field and operator are known. */
export function conditionText(
  { version }: Pick<Run, 'version'>,
  [group, place]: readonly [group: number, place: number],
  { field, op }: RunCondition,
  { rule, values }: Reading
): string {
  const said = (rule?.conditions as Conditions | undefined)?.all[group]?.any[place]
  return lineText([version === rule?.version && said?.field === field ? said : { field, op }], values)
}

/** "Customer replied"; undefined where the run does not tell it, because people wrote it. */
export function actualText({ field, actual }: RunCondition, values: ConditionValues): string | undefined {
  if (actual === undefined) return undefined
  const given = [actual].flat().filter(one => one !== null && one !== undefined) as (string | number)[]
  if (given.length === 0) return t('rules.notSet')
  const kind = values.fieldOf(field)?.kind
  if (kind === 'time') return fullTime(new Date(String(given[0])))
  return listText(given.map(one => values.valueText({ field, op: 'in', value: [one] })))
}

/** "Priority is High: Low" */
function unfitText(run: Run, reading: Reading): string {
  for (const [group, any] of (run.detail.conditions ?? []).entries()) {
    if (any.some(({ fits }) => fits)) continue
    const text = conditionText(run, [group, 0], any[0]!, reading)
    const actual = actualText(any[0]!, reading.values)
    return actual === undefined ? t('rules.unfit', { text }) : t('rules.unfitBut', { text, actual })
  }
  return ''
}
