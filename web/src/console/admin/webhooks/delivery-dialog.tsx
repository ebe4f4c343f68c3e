import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { t } from '../../../lib/strings.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Time } from '../../../ui/time.tsx'
import { DeliveryState } from './delivery-state.tsx'
import styles from './webhooks.module.css'

/** One delivery: each attempt, and how the receiver answered, as far as it was kept. */
export function DeliveryDialog({
  id,
  onClose,
  onAgain
}: {
  id: number
  onClose: () => void
  onAgain?: () => Promise<void>
}) {
  const delivery = useApiQuery('/api/admin/webhooks/deliveries/detail', { id }, { refetchInterval: 5_000 })
  const [isBusy, setBusy] = useState(false)

  async function again() {
    setBusy(true)
    await onAgain!()
    setBusy(false)
  }

  return (
    <Dialog
      title={t('admin.deliveryNumber', { number: id })}
      open
      onClose={onClose}
      size={620}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('admin.close')}
          </Button>
          {onAgain && (
            <Button icon={RotateCw} busy={isBusy} onClick={() => void again()}>
              {t('admin.deliverAgain')}
            </Button>
          )}
        </>
      }
    >
      <QueryState query={delivery}>
        {({ delivery, attempts }) => (
          <>
            <dl className={styles.facts}>
              <dt>{t('admin.event')}</dt>
              <dd>
                <code className="mono">{delivery.kind}</code>
              </dd>
              <dt>{t('admin.state')}</dt>
              <dd>
                <DeliveryState state={delivery.state} />
              </dd>
              <dt>{t('admin.messageId')}</dt>
              <dd>
                <code className="mono">{delivery.message_id}</code>
              </dd>
              {delivery.next_attempt_at && (
                <>
                  <dt>{t('admin.nextAttempt')}</dt>
                  <dd>
                    <Time at={delivery.next_attempt_at} style="full" />
                  </dd>
                </>
              )}
            </dl>
            <h3 className={styles.heading}>{t('admin.attempts')}</h3>
            {attempts.length === 0 && <p className="t2">{t('admin.noAttempts')}</p>}
            <ol className={styles.attempts}>
              {attempts.map(({ number, status, error, answer, duration_milliseconds, started_at }) => (
                <li key={number}>
                  <p className={styles.attempt}>
                    <b>{status ?? error ?? t('admin.noAnswer')}</b>
                    {status !== null && error && <span>{error}</span>}
                    <span className="muted">{t('admin.milliseconds', { count: duration_milliseconds })}</span>
                    <Time at={started_at} style="full" />
                  </p>
                  {answer && (
                    <details>
                      <summary>{t('admin.answer')}</summary>
                      <pre>{answer}</pre>
                    </details>
                  )}
                </li>
              ))}
            </ol>
          </>
        )}
      </QueryState>
    </Dialog>
  )
}
