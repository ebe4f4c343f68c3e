import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { t } from '../../../lib/strings.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { Link } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import tables from '../tables.module.css'
import { WebhookDialog } from './webhook-dialog.tsx'
import { kindsText, type Webhook } from './webhooks.ts'

/** The webhooks of the desk. */
export function WebhooksPage() {
  const webhooks = useApiQuery('/api/admin/webhooks/list', { limit: 1000 })
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
      {t('admin.addWebhook')}
    </Button>
  )
  return (
    <AdminPage
      title={t('admin.webhooks')}
      lede={t('admin.webhooksLede')}
      actions={webhooks.data?.webhooks.length !== 0 && add}
    >
      <QueryState query={webhooks} skeleton={<Skeleton rows={3} />}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <StateMessage
              icon={WebhookIcon}
              title={t('admin.noWebhooks')}
              text={t('admin.noWebhooksText')}
              action={add}
            />
          ) : (
            <Table
              label={t('admin.webhooks')}
              columns={columns()}
              rows={webhooks}
              rowKey={({ id }) => id}
              density="tall"
              isOff={({ is_active }) => !is_active}
            />
          )
        }
      </QueryState>
      {isAdding && <WebhookDialog onClose={() => setAdding(false)} />}
    </AdminPage>
  )
}

const columns = (): Column<Webhook>[] => [
  {
    key: 'url',
    label: t('admin.address'),
    cell: webhook => (
      <>
        <Link
          to="/webhooks/$webhookId"
          params={{ webhookId: String(webhook.id) }}
          className={`row-link ${tables.name}`}
        >
          {webhook.url}
        </Link>
        <span className={tables.below}>{kindsText(webhook.kinds)}</span>
      </>
    )
  },
  { key: 'state', label: t('admin.state'), cell: webhook => <WebhookState webhook={webhook} /> },
  { key: 'since', label: t('admin.since'), cell: ({ created_at }) => <Time at={created_at} style="date" /> }
]

export function WebhookState({ webhook }: { webhook: Webhook }) {
  if (!webhook.is_active) return <Badge>{t('admin.isOff')}</Badge>
  if (webhook.failing_since)
    return (
      <Badge tone="red">
        {t('admin.failingSince')} <Time at={webhook.failing_since} style="inText" />
      </Badge>
    )
  return <span className="t2">{t('admin.inUse')}</span>
}
