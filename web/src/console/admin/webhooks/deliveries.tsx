import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { MorePages } from '../../../app/more-pages.tsx'
import { QueryState } from '../../../app/query-state.tsx'
import { useApiPages } from '../../../app/use-api-pages.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { SegmentedControl } from '../../../ui/form-controls.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import tables from '../tables.module.css'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { DeliveryState } from './delivery-state.tsx'
import { type Delivery, refreshDeliveries } from './webhooks.ts'

type Filter = 'any' | Delivery['state']

/** The deliveries of a webhook, newest first. */
export function Deliveries({ webhookId, isOn }: { webhookId: number; isOn: boolean }) {
  const [filter, setFilter] = useState<Filter>('any')
  const [opened, setOpened] = useState<number>()
  const deliveries = useApiPages(
    '/api/admin/webhooks/deliveries/list',
    { webhook_id: webhookId, limit: 50, ...(filter !== 'any' && { state: filter }) },
    { refetchInterval: 10_000 }
  )
  const pages = deliveries.data?.pages

  return (
    <section aria-labelledby="deliveries">
      <div className={tables.filters}>
        <h2 id="deliveries" className={tables.heading}>
          {t('admin.deliveries')}
        </h2>
        <span className={tables.total}>
          <SegmentedControl
            label={t('admin.deliveries')}
            value={filter}
            onChange={setFilter}
            options={[
              { value: 'any', label: t('admin.allDeliveries') },
              { value: 'failed', label: t('admin.deliveryFailed') },
              { value: 'retrying', label: t('admin.deliveryRetrying') },
              { value: 'delivered', label: t('admin.deliveryDelivered') }
            ]}
          />
        </span>
      </div>
      <QueryState query={{ ...deliveries, data: pages }} skeleton={<Skeleton rows={4} />}>
        {pages => {
          const rows = pages.flatMap(({ deliveries }) => deliveries)
          if (rows.length === 0)
            return <StateMessage title={t('admin.noDeliveries')} text={t('admin.noDeliveriesText')} />
          return (
            <Table
              label={t('admin.deliveries')}
              columns={columns(setOpened)}
              rows={rows}
              rowKey={({ id }) => id}
              rowMenuLabel={({ id }) => t('admin.actionsFor', { name: String(id) })}
              rowMenu={({ id }) => [
                { label: t('admin.showAttempts'), onSelect: () => setOpened(id) },
                {
                  label: t('admin.deliverAgain'),
                  disabledReason: isOn ? undefined : t('admin.failed.webhookOff'),
                  onSelect: () => void deliverAgain(id)
                }
              ]}
            />
          )
        }}
      </QueryState>
      <MorePages pages={deliveries} label={t('admin.more')} />
      {opened !== undefined && (
        <DeliveryDialog
          id={opened}
          onClose={() => setOpened(undefined)}
          {...(isOn && { onAgain: () => deliverAgain(opened) })}
        />
      )}
    </section>
  )
}

const columns = (open: (id: number) => void): Column<Delivery>[] => [
  {
    key: 'event',
    label: t('admin.event'),
    cell: ({ id, kind }) => (
      <button type="button" className="link" onClick={() => open(id)}>
        <code className="mono">{kind}</code>
      </button>
    )
  },
  { key: 'state', label: t('admin.state'), cell: ({ state }) => <DeliveryState state={state} /> },
  {
    key: 'answer',
    label: t('admin.answer'),
    cell: ({ last_status, last_error }) => <span className="t2">{last_error ?? last_status ?? ''}</span>
  },
  { key: 'attempts', label: t('admin.attempts'), number: true, cell: ({ attempts }) => attempts },
  { key: 'at', label: t('admin.when'), cell: ({ created_at }) => <Time at={created_at} style="short" /> }
]

async function deliverAgain(id: number): Promise<void> {
  try {
    await post('/api/admin/webhooks/deliveries/replay', { id })
    announce(t('admin.isDeliveredAgain'))
  } catch (error) {
    toast({ text: adminFailureText(error), tone: 'bad' })
  }
  await refreshDeliveries()
}
