import type { DataOf } from '@deskline/client'
import { post } from '../../app/api-client.ts'
import { reloadQueries } from '../../app/reload-queries.ts'

export type Settings = DataOf<'/api/admin/settings/detail'>['settings']

export async function saveSettings(changes: Partial<Settings> & { expected_version?: number }): Promise<void> {
  await post('/api/admin/settings/update', changes)
  await reloadQueries('/api/admin/settings/detail', '/api/desk')
}
