import { t } from '../../lib/strings.ts'
import { listText } from '../../lib/times.ts'
import { priorities, priorityLabel, statuses, statusLabel } from '../../ui/status-icon.tsx'
import type { ExplainedClock } from './shown-clocks.ts'

type Condition = ExplainedClock['policy']['fitted'][number]
type Names = ExplainedClock['policy']['names']

const fields = {
  status: 'due.fieldStatus',
  priority: 'due.fieldPriority',
  department_id: 'due.fieldDepartment',
  assigned_staff_id: 'due.fieldAssignee',
  tags: 'due.fieldTags',
  client_id: 'due.fieldClient',
  organisation_id: 'due.fieldOrganisation',
  channel: 'due.fieldChannel',
  subject: 'due.fieldSubject',
  created_at: 'due.fieldCreated',
  updated_at: 'due.fieldUpdated'
} as const

const operators = {
  is: 'due.opIs',
  is_not: 'due.opIsNot',
  in: 'due.opIs',
  not_in: 'due.opIsNot',
  has_any: 'due.opHas',
  has_none: 'due.opHasNone',
  contains: 'due.opContains',
  is_set: 'due.opIsSet',
  not_set: 'due.opNotSet'
} as const

/** "Department is Billing (here: Sales)": what a condition asks, and what the ticket has. */
export function conditionText({ field, op, value, actual }: Condition, names: Names): string {
  const fieldKey = fields[field as keyof typeof fields]
  const opKey = operators[op as keyof typeof operators]
  const oneText = (one: unknown) =>
    names.find(each => each.field === field && each.id === one)?.name ?? ownText(field, one)
  const valueText = (value: unknown) => listText((Array.isArray(value) ? value : [value]).filter(isGiven).map(oneText))
  const asked = [fieldKey ? t(fieldKey) : field, opKey ? t(opKey) : op, valueText(value)].filter(Boolean).join(' ')
  return t('due.condition', { asked, actual: valueText(actual) || t('due.nothing') })
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined
}

/** In the language of the page, as far as it has words of its own. */
function ownText(field: string, value: unknown): string {
  const status = statuses.find(each => each === value)
  if (field === 'status' && status) return statusLabel(status)
  const priority = priorities.find(each => each === value)
  return field === 'priority' && priority ? priorityLabel(priority) : String(value)
}
