import type { DataOf } from '@deskline/client'
import { type Key, language, t } from '../../lib/strings.ts'

export type Permission = DataOf<'/api/admin/permissions'>['permissions'][number]
type Slug = (typeof permissionSlugs)[number]

const permissionSlugs = [
  'clients.view',
  'clients.create',
  'clients.edit',
  'clients.delete',
  'tickets.view_all',
  'tickets.reply',
  'tickets.edit_status',
  'tickets.delete',
  'departments.view',
  'departments.manage',
  'staff.view',
  'staff.manage'
] as const

/** The catalogue's own words are English; other languages have theirs for the permissions and groups that they know. */
export function permissionWords({ slug, name, description }: Permission): { name: string; sentence: string } {
  if (language.startsWith('en') || !permissionSlugs.includes(slug as Slug)) return { name, sentence: description }
  return { name: t(`admin.permission.${slug}` as Key), sentence: t(`admin.permission.${slug}.means` as Key) }
}

export function groupWords(category: string): string {
  const known = { Clients: 'clients', Tickets: 'tickets', Departments: 'departments', Staff: 'staff' }[category]
  return known ? t(`admin.group.${known}` as Key) : category
}
