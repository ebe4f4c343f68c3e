import type { DataOf } from '@deskline/client'
import { permissions } from '../../app/me.ts'
import { type Key, language, t } from '../../lib/strings.ts'

export type Permission = DataOf<'/api/admin/permissions'>['permissions'][number]

/** The catalogue has English texts; the strings of the pages translate the permissions and groups that they know. */
export function permissionLabel({ slug, name, description }: Permission): { name: string; sentence: string } {
  if (language.startsWith('en') || !permissions.some(known => known === slug)) return { name, sentence: description }
  return { name: t(`admin.permission.${slug}` as Key), sentence: t(`admin.permission.${slug}.means` as Key) }
}

export function permissionGroupLabel(category: string): string {
  const known = { Clients: 'clients', Tickets: 'tickets', Departments: 'departments', Staff: 'staff' }[category]
  return known ? t(`admin.group.${known}` as Key) : category
}
