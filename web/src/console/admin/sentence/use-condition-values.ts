import { useApiQuery } from '../../../app/api-queries.ts'
import { useEachApiQuery } from '../../../app/use-each-api-query.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { type Key, t } from '../../../lib/strings.ts'
import { dateOf, durationText } from '../../../lib/times.ts'
import { priorities, priorityLabel, statuses, statusLabel } from '../../../ui/status-icon.tsx'
import {
  type Condition,
  type ConditionFieldName,
  conditionFields,
  isConditionField,
  takesOf
} from './condition-fields.ts'

export type ConditionOption = { id: string | number; label: string }

const channels = {
  email: 'definition.channel.email',
  portal: 'definition.channel.portal',
  form: 'definition.channel.form',
  staff: 'definition.channel.staff'
} as const satisfies Record<string, Key>

export interface ConditionValues {
  /** What can be chosen for a field; of clients and organisations those that are chosen, since others are searched. */
  optionsOf(field: ConditionFieldName): ConditionOption[]
  /** "Technical Support, Sales" */
  valueText(condition: Condition): string
}

/** The names of what conditions compare with. */
export function useConditionValues(conditions: readonly Condition[]): ConditionValues {
  const departments = useApiQuery('/api/admin/departments/list', { limit: 1000 }).data?.departments
  const staff = useApiQuery('/api/admin/staff/list', {}).data?.staff
  const tags = useApiQuery('/api/admin/tags/list', { limit: 1000 }).data?.tags
  const idsIn = (field: ConditionFieldName) => [
    ...new Set(conditions.flatMap(each => (each.field === field && Array.isArray(each.value) ? each.value : [])))
  ]
  const bodies = (field: ConditionFieldName) => idsIn(field).map(id => ({ id: Number(id) }))
  const clients = useEachApiQuery('/api/admin/clients/detail', bodies('client_id'))
  const organisations = useEachApiQuery('/api/admin/organisations/detail', bodies('organisation_id'))
  const options: Partial<Record<ConditionFieldName, ConditionOption[]>> = {
    department_id: departments?.map(({ deptid, name }) => ({ id: deptid, label: name })) ?? [],
    assigned_staff_id: staff?.map(member => ({ id: member.id, label: nameOf(member) })) ?? [],
    client_id: clients.flatMap(data => (data ? [{ id: data.client.id, label: nameOf(data.client) }] : [])),
    organisation_id: organisations.flatMap(data =>
      data ? [{ id: data.organisation.id, label: data.organisation.name }] : []
    ),
    tags: tags?.map(({ name }) => ({ id: name, label: name })) ?? [],
    status: statuses.map(status => ({ id: status, label: statusLabel(status) })),
    priority: priorities.toReversed().map(priority => ({ id: priority, label: priorityLabel(priority) })),
    channel: Object.entries(channels).map(([id, key]) => ({ id, label: t(key) }))
  }
  const optionsOf = (field: ConditionFieldName) => options[field] ?? []

  function oneText(field: ConditionFieldName, value: string | number): string {
    return optionsOf(field).find(({ id }) => id === value)?.label ?? String(value)
  }

  function valueText({ field, op, value }: Condition): string {
    if (value === undefined || !isConditionField(field)) return value === undefined ? '' : String(value)
    if (Array.isArray(value)) return value.map(one => oneText(field, one as string | number)).join(', ')
    const takes = takesOf(field, op)
    if (takes === 'minutes') return durationText(Number(value))
    if (takes === 'day') return dateOf(new Date(`${String(value).slice(0, 10)}T12:00:00Z`))
    return conditionFields[field].kind === 'text' ? `“${value}”` : oneText(field, value as string | number)
  }

  return { optionsOf, valueText }
}
