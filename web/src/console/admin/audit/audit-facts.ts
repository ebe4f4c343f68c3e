import { type Key, t } from '../../../lib/strings.ts'
import { listText } from '../../../lib/times.ts'
import { priorities, priorityLabel, statuses, statusLabel } from '../../../ui/status-icon.tsx'

/** The names of what events name by its id. */
export interface FactNames {
  staff(id: number): string | undefined
  department(id: number): string | undefined
}

type Facts = Record<string, unknown>

/** What changed, in a line: "Status: Open → Closed". Of what is new or gone only that. */
export function changeText(before: Facts | null, after: Facts | null, names: FactNames): string {
  const [was, is] = [before ?? {}, after ?? {}]
  return (
    [...new Set([...Object.keys(was), ...Object.keys(is)])]
      // The id of a message or a note says nothing to a reader.
      .filter(name => labelOf(name) || !name.endsWith('_id'))
      .filter(name => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
      .map(name => {
        const [from, to] = [was, is].map(facts => (name in facts ? factText(name, facts[name], names) : undefined))
        return `${factLabel(name)}: ${from === undefined || to === undefined ? (to ?? from) : `${from} → ${to}`}`
      })
      .join(' · ')
  )
}

function factLabel(name: string): string {
  const words = name.replaceAll('_', ' ')
  return labelOf(name) ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** As the pages call it; undefined if they have no word for it. */
function labelOf(name: string): string | undefined {
  const key = `audit.fact.${name}` as Key
  const label = t(key)
  return label === key ? undefined : label
}

function factText(name: string, value: unknown, names: FactNames): string {
  if (value === null || value === undefined || value === '')
    return name.startsWith('assigned') ? t('audit.nobody') : '–'
  if (Array.isArray(value))
    return value.length === 0 ? t('audit.noneAtAll') : listText(value.map(one => factText('', one, names)))
  if (typeof value === 'object') return JSON.stringify(value)
  if (name === 'assigned_staff_id') return names.staff(Number(value)) ?? String(value)
  if (name === 'department_id') return names.department(Number(value)) ?? String(value)
  if (typeof value === 'boolean' || /^is_|_emails$/.test(name)) return t(value ? 'audit.yes' : 'audit.no')
  const status = statuses.find(status => status === value)
  if (name === 'status' && status) return statusLabel(status)
  const priority = priorities.find(priority => priority === value)
  return name === 'priority' && priority ? priorityLabel(priority) : String(value)
}
