import { useState } from 'react'
import { type Key, t } from '../../../lib/strings.ts'
import { numberText } from '../../../lib/times.ts'
import { Chip } from '../../../ui/chip.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import type { ActionChoices } from '../actions/use-action-choices.ts'
import type { Conditions } from '../sentence/condition-fields.ts'
import { eventLabel } from '../sentence/ticket-events.ts'
import { editedTrigger, type ListedRule } from './rule.ts'
import styles from './rules.module.css'

/** Which of the rules are shown: by a part of their name, by what sets them off, by the department that they name, and those that need attention. */
export function useRuleFilter(rules: readonly ListedRule[], { departments = [] }: ActionChoices) {
  const [when, setWhen] = useState<string>()
  const [deptid, setDeptid] = useState<number>()
  const [isNeedy, setNeedy] = useState(false)
  const [typed, setTyped] = useState('')
  const search = typed.trim().toLocaleLowerCase()
  const shown = rules.filter(
    rule =>
      rule.name.toLocaleLowerCase().includes(search) &&
      (when === undefined || whensOf(rule).some(({ id }) => id === when)) &&
      (deptid === undefined || departmentsOf(rule).has(deptid)) &&
      (!isNeedy || needsAttention(rule))
  )
  const whens = new Map(rules.flatMap(rule => whensOf(rule).map(({ id, label }) => [id, label])))
  const named = departments.filter(({ id }) => rules.some(rule => departmentsOf(rule).has(id)))
  const needy = rules.filter(needsAttention).length
  const runs = rules.reduce((sum, rule) => sum + rule.runs_in_7_days, 0)
  const isFiltered = when !== undefined || deptid !== undefined || isNeedy || search !== ''
  const choices = (all: Iterable<[string, () => void]>): MenuItem[] =>
    [...all].map(([label, onSelect]) => ({ label, onSelect }))
  const filter = (
    <div className={`row-x wrap ${styles.filter}`}>
      <input
        type="search"
        className={`input ${styles.search}`}
        aria-label={t('rules.search')}
        placeholder={t('rules.search')}
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
      {whens.size > 1 && (
        <Chip
          on={when !== undefined}
          onClear={when === undefined ? undefined : () => setWhen(undefined)}
          menu={choices([...whens].map(([id, label]) => [label, () => setWhen(id)]))}
        >
          {when === undefined ? t('rules.when') : whens.get(when)}
        </Chip>
      )}
      {named.length > 0 && (
        <Chip
          on={deptid !== undefined}
          onClear={deptid === undefined ? undefined : () => setDeptid(undefined)}
          menu={choices(named.map(({ id, label }) => [label, () => setDeptid(id)]))}
        >
          {named.find(({ id }) => id === deptid)?.label ?? t('rules.department')}
        </Chip>
      )}
      {(needy > 0 || isNeedy) && (
        <button
          type="button"
          className={isNeedy ? 'chip on' : 'chip'}
          aria-pressed={isNeedy}
          onClick={() => setNeedy(!isNeedy)}
        >
          {t('rules.needsAttention')} {numberText(needy)}
        </button>
      )}
      <span className="grow" />
      <span className={styles.count}>{t('rules.countAndRuns', { count: rules.length, runs })}</span>
    </div>
  )
  return { shown, isFiltered, filter }
}

function needsAttention({ attention, paused_reason, is_active }: ListedRule): boolean {
  return attention.length > 0 || (is_active === 1 && paused_reason === 'budget')
}

/** The events of a rule, or that it waits for a time. */
function whensOf({ trigger }: ListedRule): { id: string; label: string }[] {
  const { events, timer } = editedTrigger(trigger)
  if (timer) return [{ id: 'timer', label: t('rules.whenTime' satisfies Key) }]
  return events.map(event => ({ id: event, label: eventLabel(event) }))
}

/** The departments that a rule names in conditions and actions. */
function departmentsOf({ conditions, actions }: ListedRule): Set<number> {
  const ofConditions = (conditions as Conditions).all.flatMap(({ any }) =>
    any.flatMap(({ field, value }) => (field.endsWith('department_id') ? [value].flat() : []))
  )
  const ofActions = actions.flatMap(action => {
    if ('move_to' in action) return [action.move_to]
    const { assign } = action as { assign?: unknown }
    return assign !== null && typeof assign === 'object' ? Object.values(assign) : []
  })
  return new Set([...ofConditions, ...ofActions].map(Number))
}
