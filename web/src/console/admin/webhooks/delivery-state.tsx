import { t } from '../../../lib/strings.ts'
import { Badge, type BadgeTone } from '../../../ui/badge.tsx'
import type { Delivery } from './webhooks.ts'

const tones: Record<Delivery['state'], BadgeTone> = {
  queued: 'plain',
  retrying: 'amber',
  delivered: 'green',
  failed: 'red'
}

export function DeliveryState({ state }: { state: Delivery['state'] }) {
  const words = {
    queued: t('admin.deliveryQueued'),
    retrying: t('admin.deliveryRetrying'),
    delivered: t('admin.deliveryDelivered'),
    failed: t('admin.deliveryFailed')
  }
  return <Badge tone={tones[state]}>{words[state]}</Badge>
}
