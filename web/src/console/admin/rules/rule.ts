import type { BodyOf, DataOf } from '@deskline/client'
import type { Key } from '../../../lib/strings.ts'
import { t } from '../../../lib/strings.ts'
import { choiceText, durationText, spanText } from '../../../lib/times.ts'
import { actionText } from '../actions/action-words.ts'
import { actionsToSend, type EditedAction, editedActions } from '../actions/edited-actions.ts'
import type { ActionChoices } from '../actions/use-action-choices.ts'
import { type Conditions, editable, isUnfinished } from '../sentence/condition-fields.ts'
import { lineText } from '../sentence/conditions-text.tsx'
import { eventLabel, type TicketEventKind } from '../sentence/ticket-events.ts'
import type { ConditionValues } from '../sentence/use-condition-values.ts'

export type Rule = DataOf<'/api/admin/rules/detail'>['rule']
export type ListedRule = DataOf<'/api/admin/rules/list'>['rules'][number]
export type RuleTemplate = DataOf<'/api/admin/rules/templates/list'>['templates'][number]
type Trigger = BodyOf<'/api/admin/rules/create'>['trigger']
type Timer = NonNullable<Trigger['timer']>

/** A timer as it is edited: without minutes they are still to be typed. */
export interface EditedTimer {
  basis: Timer['basis']
  minutes: number | undefined
  direction: 'after' | 'before'
  calendar_id: number | null
  /** Of `date_field`: the custom field. */
  field_id?: number
}

/** What sets a rule off: some events, or a timer. */
export type EditedTrigger = { events: TicketEventKind[]; timer?: never } | { timer: EditedTimer; events?: never }

/** What is edited on the page of a rule. */
export interface RuleDraft {
  name: string
  trigger: EditedTrigger
  conditions: Conditions
  actions: EditedAction[]
}

export const rulePaths = ['/api/admin/rules/list', '/api/admin/rules/detail'] as const

/** Since when a timer counts. */
export const timerBases = {
  created: 'rules.basis.created',
  last_client_message: 'rules.basis.last_client_message',
  last_reply: 'rules.basis.last_reply',
  status_since: 'rules.basis.status_since',
  sla_due: 'rules.basis.sla_due',
  snooze_end: 'rules.basis.snooze_end',
  date_field: 'rules.basis.date_field'
} as const satisfies Record<Timer['basis'], Key>

export const emptyDraft: RuleDraft = { name: '', trigger: { events: [] }, conditions: { all: [] }, actions: [] }

/** A rule or a template as it is edited. */
export function draftOf(rule: Pick<Rule, 'name' | 'trigger' | 'conditions' | 'actions'>): RuleDraft {
  return {
    name: rule.name,
    trigger: editedTrigger(rule.trigger),
    conditions: editable(rule.conditions as Conditions),
    actions: editedActions(rule.actions)
  }
}

export function editedTrigger({ events, timer }: Trigger): EditedTrigger {
  if (!timer) return { events: events ?? [] }
  const { basis, minutes, direction = 'after', calendar_id = null, field_id } = timer
  return { timer: { basis, minutes, direction, calendar_id, ...(field_id !== undefined && { field_id }) } }
}

/** What is sent; undefined if something is left to choose or to write. */
export function fieldsOf(draft: RuleDraft) {
  const sentence = sentenceOf(draft)
  const name = draft.name.trim()
  return sentence && name ? { name, ...sentence } : undefined
}

/** The same without its name. */
export function sentenceOf({ trigger, conditions, actions }: RuleDraft) {
  const sent = actionsToSend(actions)
  if (!sent || sent.length === 0 || isUnfinishedTrigger(trigger)) return undefined
  if (conditions.all.some(({ any }) => any.some(isUnfinished))) return undefined
  return {
    trigger: trigger as Trigger,
    conditions: conditions as Rule['conditions'],
    actions: sent
  }
}

function isUnfinishedTrigger({ events, timer }: EditedTrigger): boolean {
  return timer ? timer.minutes === undefined : events.length === 0
}

/** The conditions of several rules, whose values are to be named. */
export function conditionsOf(...all: { conditions: unknown }[]) {
  return all.flatMap(({ conditions }) => (conditions as Conditions).all.flatMap(({ any }) => any))
}

/** "a ticket is opened or tags change", "it is 5 days after the last reply" */
export function triggerText({ events, timer }: EditedTrigger, calendar: (id: number) => string): string {
  if (!timer) return choiceText(events.map(eventLabel))
  const { minutes, direction, basis, calendar_id: id } = timer
  const time = minutes === undefined ? t('actions.choose') : id === null ? spanText(minutes) : durationText(minutes)
  const said = t(direction === 'after' ? 'rules.timeAfter' : 'rules.timeBefore', { time, basis: t(timerBases[basis]) })
  return id === null ? said : t('rules.timeOf', { said, calendar: calendar(id) })
}

interface Names {
  values: ConditionValues
  choices: ActionChoices
  calendar: (id: number) => string
}

/** What differs, each in a few words: "then set priority to High". */
export function changesOf(saved: RuleDraft, draft: RuleDraft, { values, choices, calendar }: Names): string[] {
  const changes: string[] = []
  const differs = (part: keyof RuleDraft) => JSON.stringify(saved[part]) !== JSON.stringify(draft[part])
  if (differs('name')) changes.push(t('rules.changed.name', { name: draft.name }))
  if (differs('trigger')) changes.push(t('rules.changed.trigger', { text: triggerText(draft.trigger, calendar) }))
  if (differs('conditions')) {
    const text = draft.conditions.all.map(({ any }) => lineText(any, values)).join(', ')
    changes.push(t('rules.changed.conditions', { text: text || t('rules.anyTicket') }))
  }
  if (differs('actions')) {
    const known = saved.actions.map(action => JSON.stringify(action))
    const others = draft.actions.filter(action => !known.includes(JSON.stringify(action)))
    const text = others.map(action => actionText(action, choices)).join(', ')
    changes.push(text ? t('rules.changed.actions', { text }) : t('rules.changed.fewerActions'))
  }
  return changes
}

const templateNames = {
  warn_before_close: 'rules.template.warn_before_close',
  auto_close: 'rules.template.auto_close',
  vip_first: 'rules.template.vip_first',
  keyword_to_department: 'rules.template.keyword_to_department',
  escalate_breach: 'rules.template.escalate_breach',
  tag_by_organisation: 'rules.template.tag_by_organisation',
  round_robin: 'rules.template.round_robin',
  out_of_hours: 'rules.template.out_of_hours',
  reopen_or_new: 'rules.template.reopen_or_new',
  thanks_stays_closed: 'rules.template.thanks_stays_closed',
  snooze_over: 'rules.template.snooze_over'
} as const satisfies Record<string, Key>

/** In the language of the page, where it has words of its own. */
export function templateName({ key, name }: RuleTemplate): string {
  return Object.hasOwn(templateNames, key) ? t(templateNames[key as keyof typeof templateNames]) : name
}

/** Whether a rule judges e-mails that arrive. */
export function isOfMail({ events }: EditedTrigger): boolean {
  return events?.includes('mail.received') ?? false
}
