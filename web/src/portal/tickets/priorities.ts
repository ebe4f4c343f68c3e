import { t } from '../../lib/strings.ts'

export const priorities = ['Low', 'Medium', 'High', 'Critical'] as const
export type Priority = (typeof priorities)[number]

export function priorityText(priority: Priority): string {
  return t(`portal-ticket.${priority.toLowerCase() as Lowercase<Priority>}`)
}
