import { Mail } from 'lucide-react'
import { useApiQuery } from '../../app/api-queries.ts'
import { deliveryReasonText } from '../../app/delivery-reasons.ts'
import { failureText } from '../../app/failures.ts'
import { can } from '../../app/me.ts'
import { useApiMutation } from '../../app/use-api-mutation.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { toast } from '../../ui/toast.tsx'
import type { ClientDetail } from './client-detail.ts'

/** Says why e-mails are no longer sent to a client; staff who may edit the client can resume them. */
export function UndeliverableBanner({ client: { id } }: { client: ClientDetail }) {
  const { data } = useApiQuery('/api/admin/clients/deliverability', { id })
  const write = useApiMutation('/api/admin/clients/deliver-again', {
    changes: ['/api/admin/clients/deliverability', '/api/admin/tickets/detail'],
    onSuccess: data => {
      toast({ text: t('clients.deliveredAgain', { email: data.email }) })
      // The focused button has been removed.
      document.querySelector<HTMLElement>('main h1')?.focus()
    },
    onError: error => toast({ text: failureText(error), tone: 'bad' })
  })
  if (!data?.undeliverable?.is_stopped) return null
  const { reason_code, reason } = data.undeliverable
  const again = {
    label: t('clients.deliverAgain'),
    icon: Mail,
    busy: write.isPending,
    onClick: () => write.mutate({ id })
  }
  return (
    <Banner tone="warn" action={can('clients.edit') ? again : undefined}>
      {t('clients.undelivered', { email: data.email, reason: deliveryReasonText(reason_code, reason) })}
    </Banner>
  )
}
