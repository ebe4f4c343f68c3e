import { t } from '../../../lib/strings.ts'
import { dateOf, durationText, spanText } from '../../../lib/times.ts'
import { priorityLabel, statusLabel } from '../../../ui/status-icon.tsx'
import { type EditedAction, verbOf } from './edited-actions.ts'
import type { ActionChoices, CustomField } from './use-action-choices.ts'

/** A part of a sentence: words, or a value that was chosen. */
export interface ActionWord {
  text: string
  isValue?: true
}

/** "set priority to **High**": an action as parts of a sentence. */
export function actionWords(action: EditedAction, choices: ActionChoices): ActionWord[] {
  const verb = { text: t(verbOf(action.kind)) }
  const { kind, value } = action
  switch (kind) {
    case 'set_field':
      return [verb, word(fieldLabel(value.key, choices)), ...fieldWords(action.value, choices)]
    case 'email_client':
    case 'split_off':
      return [verb, word(quoted(value.subject))]
    case 'notify_staff':
      return [verb, word(whoText(value.who, choices)), { text: t('actions.with') }, word(quoted(value.text))]
    case 'snooze':
      return [verb, word(snoozeText(value)), { text: calendarText(value.calendar_id, choices) }]
    case 'hold':
    case 'drop':
    case 'no_acknowledgement':
    case 'block_sender':
      return [verb]
    default:
      return [verb, word(valueText(action, choices))]
  }
}

/** The same as text alone. */
export function actionText(action: EditedAction, choices: ActionChoices): string {
  return actionWords(action, choices)
    .map(({ text }) => text)
    .join(' ')
}

/** The value of an action that has a single one. */
export function valueText({ kind, value }: EditedAction, choices: ActionChoices): string {
  switch (kind) {
    case 'set_status':
      return value ? statusLabel(value) : gap()
    case 'set_priority':
      return value ? priorityLabel(value) : gap()
    case 'move_to':
      return nameIn(choices.departments, value)
    case 'assign':
      return assigneeText(value, choices)
    case 'watch':
      return nameIn(choices.staff, value)
    case 'webhook':
      return nameIn(choices.webhooks, value)
    case 'add_tags':
    case 'remove_tags':
      return value.join(', ') || gap()
    case 'note':
      return quoted(value)
    default:
      return ''
  }
}

/** Whether it names something that is out of use or deleted. */
export function namesGone({ kind, value }: EditedAction, choices: ActionChoices): boolean {
  const isGone = (list: readonly { id: number }[] | undefined, id: unknown) =>
    list !== undefined && typeof id === 'number' && !list.some(each => each.id === id)
  switch (kind) {
    case 'move_to':
      return isGone(choices.departments, value)
    case 'assign':
      return typeof value === 'object' ? isGone(choices.departments, value?.round_robin) : isGone(choices.staff, value)
    case 'watch':
      return isGone(choices.staff, value)
    case 'notify_staff':
      return isGone(choices.staff, value.who)
    case 'webhook':
      return isGone(choices.webhooks, value)
    case 'snooze':
    case 'email_client':
      return isGone(choices.calendars, value.calendar_id)
    case 'set_field':
      return value.key !== '' && choices.fields !== undefined && !fieldOf(value.key, choices)
    default:
      return false
  }
}

export function whoText(who: string | number | undefined, choices: ActionChoices): string {
  if (who === 'assignee' || who === 'watchers' || who === 'department') return t(`actions.who.${who}`)
  return nameIn(choices.staff, who as number | undefined)
}

export function calendarText(id: number | null, choices: ActionChoices): string {
  return id === null ? t('actions.roundTheClock') : t('actions.ofCalendar', { name: nameIn(choices.calendars, id) })
}

export function fieldOf(key: string, { fields }: ActionChoices): CustomField | undefined {
  return fields?.find(field => field.key === key)
}

export function fieldLabel(key: string, choices: ActionChoices): string {
  if (key === '') return gap()
  return fieldOf(key, choices)?.label ?? key
}

/** A value of a custom field as it is shown. */
export function fieldValueText(field: CustomField | undefined, value: unknown): string {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return gap()
  if (typeof value === 'boolean') return t(value ? 'actions.yes' : 'actions.no')
  if (field?.kind === 'date') return dateOf(new Date(`${String(value)}T12:00:00Z`))
  if (field?.kind === 'select' || field?.kind === 'multi_select')
    return [value]
      .flat()
      .map(id => field.options.find(option => option.id === id)?.label ?? t('actions.gone'))
      .join(', ')
  return field?.kind === 'number' ? String(value) : quoted(String(value))
}

function fieldWords({ key, value }: { key: string; value: unknown }, choices: ActionChoices): ActionWord[] {
  if (value === null) return [{ text: t('actions.toNothing') }]
  return [{ text: t('actions.to') }, word(fieldValueText(fieldOf(key, choices), value))]
}

function assigneeText(value: number | null | { round_robin: number } | undefined, choices: ActionChoices): string {
  if (value === null) return t('actions.nobody')
  if (typeof value !== 'object') return nameIn(choices.staff, value)
  return t('actions.inTurn', { department: nameIn(choices.departments, value.round_robin) })
}

function nameIn(list: readonly { id: number; label: string }[] | undefined, id: number | undefined): string {
  if (id === undefined) return gap()
  if (!list) return '…'
  return list.find(each => each.id === id)?.label ?? t('actions.gone')
}

function snoozeText({ minutes, calendar_id }: { minutes: number | undefined; calendar_id: number | null }): string {
  if (minutes === undefined) return gap()
  return calendar_id === null ? spanText(minutes) : durationText(minutes)
}

const longest = 60

/** “Close after silence”, cut where it is long. */
function quoted(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  if (line === '') return t('actions.write')
  const characters = [...line]
  return `“${characters.length > longest ? `${characters.slice(0, longest).join('')}…` : line}”`
}

function word(text: string): ActionWord {
  return { text, isValue: true }
}

function gap(): string {
  return t('actions.choose')
}
