import { useIsFetching } from '@tanstack/react-query'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useMe } from '../../../app/me.ts'
import { useEachApiQuery } from '../../../app/use-each-api-query.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { type Key, t } from '../../../lib/strings.ts'
import { dateOf, numberText, spanText } from '../../../lib/times.ts'
import { priorities, priorityLabel, statuses, statusLabel } from '../../../ui/status-icon.tsx'
import {
  type Condition,
  type ConditionField,
  customOf,
  fieldNamed,
  fieldsToChoose,
  type Scope,
  takesOf
} from './condition-fields.ts'
import { eventLabel, eventsOfTickets } from './ticket-events.ts'

export type ConditionOption = { id: string | number; label: string }

const channels = {
  email: 'definition.channel.email',
  portal: 'definition.channel.portal',
  form: 'definition.channel.form',
  staff: 'definition.channel.staff'
} as const satisfies Record<string, Key>

const eventActors = {
  client: 'definition.actor.client',
  staff: 'definition.actor.staff',
  rule: 'definition.actor.rule',
  system: 'definition.actor.system'
} as const satisfies Record<string, Key>

export interface ConditionValues {
  /** The fields that can be chosen. */
  fields: ConditionField[]
  /** Undefined for what is not known here. */
  fieldOf(name: string): ConditionField | undefined
  /** What can be chosen for a field; of clients and organisations those that are chosen, since others are searched. */
  optionsOf(field: string): ConditionOption[]
  /** "Priority" */
  fieldText(condition: Condition): string
  /** "Technical Support, Sales" */
  valueText(condition: Condition): string
}

/** Where the names come from. Until they are there, "…" stands for them, not a number that nobody knows. */
const named: unknown[] = [
  '/api/admin/clients/detail',
  '/api/admin/colleagues/list',
  '/api/admin/departments/list',
  '/api/admin/fields/list',
  '/api/admin/organisations/detail',
  '/api/admin/staff/list',
  '/api/departments'
]

/** The names of what conditions compare with. */
export function useConditionValues(conditions: readonly Condition[], scope: Scope = 'tickets'): ConditionValues {
  const me = useMe()
  // Runs of rules are also read by those who do not administer the desk.
  const [all, active] = [{ enabled: me.isAdmin }, { enabled: !me.isAdmin }]
  const departments = [
    useApiQuery('/api/admin/departments/list', { limit: 1000 }, all).data?.departments,
    useApiQuery('/api/departments', {}, active).data?.departments
  ].find(Boolean)
  const colleagues = { enabled: !me.isAdmin && me.can('tickets.edit_status') }
  const staff = [
    useApiQuery('/api/admin/staff/list', {}, all).data?.staff,
    useApiQuery('/api/admin/colleagues/list', { limit: 1000 }, colleagues).data?.colleagues
  ].find(Boolean)
  const tags = useApiQuery('/api/admin/tags/list', { limit: 1000 }).data?.tags
  const calendars = useApiQuery('/api/admin/calendars/list', {}, { enabled: scope === 'events' }).data?.calendars
  const custom = useApiQuery('/api/admin/fields/list', {}).data?.fields ?? []
  const bodies = (field: string) => {
    const ids = conditions.flatMap(each => (each.field === field ? [each.value ?? []].flat() : []))
    return [...new Set(ids)].map(id => ({ id: Number(id) }))
  }
  const clients = useEachApiQuery('/api/admin/clients/detail', bodies('client_id'))
  const organisations = useEachApiQuery('/api/admin/organisations/detail', bodies('organisation_id'))
  const isLoading =
    useIsFetching({ predicate: ({ queryKey, state }) => state.data === undefined && named.includes(queryKey[0]) }) > 0
  const options: Record<string, ConditionOption[]> = {
    department_id: departments?.map(({ deptid, name }) => ({ id: deptid, label: name })) ?? [],
    assigned_staff_id: staff?.map(member => ({ id: member.id, label: nameOf(member) })) ?? [],
    client_id: clients.flatMap(data => (data ? [{ id: data.client.id, label: nameOf(data.client) }] : [])),
    organisation_id: organisations.flatMap(data =>
      data ? [{ id: data.organisation.id, label: data.organisation.name }] : []
    ),
    'event.verdict': (['pass', 'fail', 'none', 'unknown'] as const).map(id => ({
      id,
      label: t(`definition.verdict.${id}`)
    })),
    tags: tags?.map(({ name }) => ({ id: name, label: name })) ?? [],
    status: statuses.map(status => ({ id: status, label: statusLabel(status) })),
    priority: priorities.toReversed().map(priority => ({ id: priority, label: priorityLabel(priority) })),
    channel: Object.entries(channels).map(([id, key]) => ({ id, label: t(key) })),
    'event.channel': Object.entries(channels).map(([id, key]) => ({ id, label: t(key) })),
    'event.actor': Object.entries(eventActors).map(([id, key]) => ({ id, label: t(key) })),
    'event.open_calendars': calendars?.map(({ id, name }) => ({ id, label: name })) ?? [],
    'event.kind': eventsOfTickets.map(id => ({ id, label: eventLabel(id) }))
  }

  function optionsOf(name: string): ConditionOption[] {
    const field = customOf(name, custom)
    return field?.options ?? options[name] ?? options[name.replace(/^event\.(before|after)\./, '')] ?? []
  }

  function valueText({ field: name, op, value }: Condition): string {
    const field = fieldNamed(name, custom)
    if (value === undefined || value === null) return ''
    if (!field) return isLoading ? '…' : String(value)
    const oneText = (one: unknown) => {
      // What a ticket has is told by the ids of its tags.
      const tag = field.kind === 'tags' ? tags?.find(({ id }) => id === one) : undefined
      const label = optionsOf(name).find(({ id }) => id === one)?.label ?? tag?.name
      return label ?? (isLoading ? '…' : String(one))
    }
    if (Array.isArray(value)) return value.map(oneText).join(', ')
    switch (takesOf(field, op)) {
      case 'minutes':
        return spanText(Number(value))
      case 'day':
        return dateOf(new Date(`${String(value).slice(0, 10)}T12:00:00Z`))
      case 'number':
        return numberText(Number(value))
      case 'yes or no':
        return t(value === true || value === 1 ? 'definition.yes' : 'definition.no')
      default:
        return field.kind === 'text' ? `“${value}”` : oneText(value)
    }
  }

  return {
    fields: fieldsToChoose(scope, custom),
    fieldOf: name => fieldNamed(name, custom),
    optionsOf,
    fieldText: ({ field }) => fieldNamed(field, custom)?.label ?? (isLoading ? '…' : field),
    valueText
  }
}
