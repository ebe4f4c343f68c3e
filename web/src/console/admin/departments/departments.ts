import type { DataOf } from '@deskline/client'
import { post } from '../../../app/api-client.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'

export type Department = DataOf<'/api/admin/departments/list'>['departments'][number]

/** The paths of all queries that show departments. */
export async function refreshDepartments(): Promise<void> {
  await reloadQueries('/api/admin/departments/list', '/api/admin/tickets/counts', '/api/departments')
}

/** Deactivates or reactivates a department. Its tickets stay. */
export async function setActive({ id, name, version, is_active }: Department): Promise<void> {
  try {
    const body = { id, is_active: is_active ? 0 : 1, expected_version: version } as const
    await post('/api/admin/departments/update', body)
    announce(is_active ? t('admin.isOutOfUse', { name }) : t('admin.isInUse', { name }))
  } catch (error) {
    toast({ text: adminFailureText(error), tone: 'bad' })
  }
  await refreshDepartments()
}
