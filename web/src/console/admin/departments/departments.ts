import type { DataOf } from '@deskline/client'
import { desk } from '../../../app/desk.ts'
import { refresh } from '../../../app/refresh.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { toast } from '../../../ui/toast.tsx'
import { wordsFor } from '../failure-words.ts'

export type Department = DataOf<'/api/admin/departments/list'>['departments'][number]

/** All that is shown somewhere of departments. */
export async function refreshDepartments(): Promise<void> {
  await refresh('/api/admin/departments/list', '/api/admin/tickets/counts', '/api/departments')
}

/** Takes a department out of use, or back into it. Tickets stay where they are. */
export async function setActive({ id, name, version, is_active }: Department): Promise<void> {
  try {
    const body = { id, is_active: is_active ? 0 : 1, expected_version: version } as const
    await desk.POST('/api/admin/departments/update', { body })
    announce(is_active ? t('admin.isOutOfUse', { name }) : t('admin.isInUse', { name }))
  } catch (error) {
    toast({ text: wordsFor(error), tone: 'bad' })
  }
  await refreshDepartments()
}
