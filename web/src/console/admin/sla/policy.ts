import type { DataOf } from '@deskline/client'
import { t } from '../../../lib/strings.ts'
import { durationText } from '../../../lib/times.ts'
import { readDuration } from '../../../lib/typed-duration.ts'
import { type Priority, priorities, priorityLabel } from '../../../ui/status-icon.tsx'
import { type Conditions, editable, isUnfinished } from '../sentence/condition-fields.ts'
import { lineText } from '../sentence/conditions-text.tsx'
import type { ConditionValues } from '../sentence/use-condition-values.ts'

export type Policy = DataOf<'/api/admin/sla-policies/list'>['policies'][number]
export type Target = Policy['targets'][number]
export type Metric = Target['metric']

export const metrics: readonly Metric[] = ['first_response', 'next_response', 'resolution']
/** The most urgent first. */
export const byUrgency = priorities.toReversed()

export function metricLabel(metric: Metric): string {
  return t(`sla.metric.${metric}`)
}

/** What is edited on the page of a policy. Targets and the warning are what is typed. */
export interface PolicyDraft {
  name: string
  conditions: Conditions
  /** By priority and metric. */
  targets: Record<string, { typed: string; calendarId: number }>
  /** The calendar that targets count by unless they have another one. */
  calendarId: number
  pauseOn: Policy['pause_on']
  onReopen: Policy['on_reopen']
  warn: string
}

export const cellOf = (priority: Priority, metric: Metric) => `${priority} ${metric}`

/** A policy as it is edited; a new one counts by this calendar. */
export function draftOf(policy: Policy | undefined, usualCalendarId: number): PolicyDraft {
  const counts = new Map<number, number>()
  for (const { calendar_id } of policy?.targets ?? []) counts.set(calendar_id, (counts.get(calendar_id) ?? 0) + 1)
  const calendarId = [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? usualCalendarId
  const targets: PolicyDraft['targets'] = {}
  for (const priority of byUrgency)
    for (const metric of metrics) {
      const target = policy?.targets.find(each => each.priority === priority && each.metric === metric)
      const typed = target ? durationText(target.minutes) : ''
      targets[cellOf(priority, metric)] = { typed, calendarId: target?.calendar_id ?? calendarId }
    }
  return {
    name: policy?.name ?? '',
    conditions: editable((policy?.conditions ?? { all: [] }) as Conditions),
    targets,
    calendarId,
    pauseOn: policy?.pause_on ?? ['answered'],
    onReopen: policy?.on_reopen ?? 'resume',
    warn: policy?.warn_minutes ? durationText(policy.warn_minutes) : ''
  }
}

/** The longest target, a year. */
const mostMinutes = 525_600

/** Whether this can be a target: nothing, or a time of at least a minute and at most a year. */
export function isTarget(typed: string): boolean {
  const minutes = readDuration(typed)
  return minutes === null || (minutes !== undefined && minutes > 0 && minutes <= mostMinutes)
}

/** The same as it is shown elsewhere: "4h" as "4 h". What cannot be read stays. */
export function rewritten(typed: string): string {
  const minutes = readDuration(typed)
  return minutes === null || minutes === undefined ? typed.trim() : durationText(minutes)
}

/** What is sent; undefined if something cannot be read, or is left to choose. */
export function fieldsOf(draft: PolicyDraft) {
  const cells = Object.values(draft.targets)
  if (![...cells.map(({ typed }) => typed), draft.warn].every(isTarget)) return undefined
  if (draft.conditions.all.some(({ any }) => any.some(isUnfinished))) return undefined
  const targets = byUrgency.flatMap(priority =>
    metrics.flatMap((metric): Target[] => {
      const { typed, calendarId } = draft.targets[cellOf(priority, metric)]!
      const minutes = readDuration(typed)
      return minutes ? [{ metric, priority, minutes, calendar_id: calendarId }] : []
    })
  )
  return {
    name: draft.name,
    conditions: draft.conditions as Policy['conditions'],
    targets,
    pause_on: draft.pauseOn,
    on_reopen: draft.onReopen,
    warn_minutes: readDuration(draft.warn) ?? null
  }
}

interface Names {
  values: ConditionValues
  calendar: (id: number) => string
}

/** What differs, each in a few words: "High, next reply from 4 h to 2 h". */
export function changesOf(saved: PolicyDraft, draft: PolicyDraft, { values, calendar }: Names): string[] {
  const changes: string[] = []
  if (saved.name !== draft.name) changes.push(t('sla.changed.name', { name: draft.name }))
  const lines = ({ conditions }: PolicyDraft) => conditions.all.map(({ any }) => lineText(any, values)).join('; ')
  if (JSON.stringify(saved.conditions) !== JSON.stringify(draft.conditions))
    changes.push(t('sla.changed.conditions', { text: lines(draft) || t('sla.everyTicket') }))
  for (const priority of byUrgency)
    for (const metric of metrics) {
      const cell = cellOf(priority, metric)
      const [was, is] = [saved.targets[cell]!, draft.targets[cell]!]
      const what = `${priorityLabel(priority)}, ${t(`sla.short.${metric}`)}`
      if (minutesText(was.typed) !== minutesText(is.typed))
        changes.push(t('sla.changed.target', { what, from: minutesText(was.typed), to: minutesText(is.typed) }))
      else if (is.typed && was.calendarId !== is.calendarId)
        changes.push(t('sla.changed.calendar', { what, calendar: calendar(is.calendarId) }))
    }
  if ([...saved.pauseOn].sort().join() !== [...draft.pauseOn].sort().join()) changes.push(t('sla.changed.pause'))
  if (saved.onReopen !== draft.onReopen) changes.push(t('sla.changed.reopen'))
  if (minutesText(saved.warn) !== minutesText(draft.warn))
    changes.push(t('sla.changed.warn', { time: minutesText(draft.warn) }))
  return changes
}

function minutesText(typed: string): string {
  const minutes = readDuration(typed)
  if (minutes === null) return t('sla.nothing')
  return minutes === undefined ? typed : durationText(minutes)
}

/** "High: first reply 1 h, next reply 1 h, solved in 8 h · Berlin office": the targets of High, or of the most urgent priority that has any. */
export function exampleText({ targets }: Policy, calendar: (id: number) => string): string {
  const priority = ['High' as const, ...byUrgency].find(priority =>
    targets.some(target => target.priority === priority)
  )
  if (!priority) return t('sla.noTargets')
  const own = metrics.flatMap(metric => targets.filter(each => each.priority === priority && each.metric === metric))
  const parts = own.map(({ metric, minutes }) => t(`sla.in.${metric}`, { time: durationText(minutes) }))
  const names = [...new Set(own.map(({ calendar_id }) => calendar(calendar_id)))].join(', ')
  return `${priorityLabel(priority)}: ${parts.join(', ')} · ${names}`
}
