import { t } from '../../lib/strings.ts'
import { priorityLabel } from '../../ui/status-icon.tsx'
import type { GroupName } from './report-search.ts'

/** What a group of a report is called: names as they are, what the desk has words for in the language of the page. */
export function keyLabel(group: GroupName, key: string | number | null, label: string | null): string {
  if (key === null) return t('reports.nobody')
  if (group === 'priority') return priorityLabel(key as Parameters<typeof priorityLabel>[0])
  if (group === 'channel') return t(`reports.channel.${key as 'email' | 'portal' | 'staff' | 'form'}`)
  return label ?? String(key)
}
