import type { DataOf } from '@deskline/client'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'

export type Webhook = DataOf<'/api/admin/webhooks/detail'>['webhook']
export type Delivery = DataOf<'/api/admin/webhooks/deliveries/list'>['deliveries'][number]

/** No kinds means all. */
export function kindsText(kinds: string[]): string {
  if (kinds.length === 0) return t('admin.allEvents')
  const shown = kinds.slice(0, 3).join(', ')
  return kinds.length > 3 ? t('admin.andMore', { shown, count: kinds.length - 3 }) : shown
}

export const refreshWebhooks = () => reloadQueries('/api/admin/webhooks/list', '/api/admin/webhooks/detail')
export const refreshDeliveries = () =>
  reloadQueries('/api/admin/webhooks/deliveries/list', '/api/admin/webhooks/deliveries/detail')
