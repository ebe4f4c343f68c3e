import { Pencil, Send } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { t } from '../../../lib/strings.ts'
import { useParams } from '../../../router/react.tsx'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { RowMenu } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { SecretDialog } from '../secret-dialog.tsx'
import { Deliveries } from './deliveries.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import styles from './webhooks.module.css'
import { kindsText, refreshDeliveries, refreshWebhooks, type Webhook } from './webhooks.ts'
import { WebhookState } from './webhooks-page.tsx'

/** One webhook: its events, its deliveries, and buttons to resend them. */
export function WebhookPage() {
  const { webhookId } = useParams<{ webhookId: string }>()
  const webhook = useApiQuery('/api/admin/webhooks/detail', { id: Number(webhookId) })
  return (
    <AdminPage
      title={webhook.data?.webhook.url ?? t('admin.webhook')}
      above={{ to: '/webhooks', label: t('admin.webhooks') }}
    >
      <QueryState query={webhook}>{({ webhook }) => <Detail webhook={webhook} />}</QueryState>
    </AdminPage>
  )
}

type Open = 'edit' | 'rotate' | 'replay' | 'delete' | { secret: string }

function Detail({ webhook }: { webhook: Webhook }) {
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>()
  const [isTesting, setTesting] = useState(false)
  const { id, version } = webhook
  const isOn = webhook.is_active === 1
  const close = () => setOpen(undefined)

  async function test() {
    setTesting(true)
    try {
      await post('/api/admin/webhooks/test', { id })
      announce(t('admin.testSent'))
      await refreshDeliveries()
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    } finally {
      setTesting(false)
    }
  }

  async function turn() {
    try {
      await post('/api/admin/webhooks/update', { id, is_active: isOn ? 0 : 1, expected_version: version })
      announce(isOn ? t('admin.webhookOffNow') : t('admin.webhookOnNow'))
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    }
    await refreshWebhooks()
  }

  async function rotate() {
    const data = await post('/api/admin/webhooks/rotate', { id })
    void refreshWebhooks()
    setOpen({ secret: data.secret })
  }

  async function remove() {
    await post('/api/admin/webhooks/delete', { id, expected_version: version })
    announce(t('admin.webhookDeleted'))
    await navigate({ to: '/webhooks' })
    void refreshWebhooks()
  }

  const more: MenuItem[] = [
    { label: isOn ? t('admin.turnOffNow') : t('admin.turnOnNow'), onSelect: () => void turn() },
    { label: t('admin.rotateMore'), onSelect: () => setOpen('rotate') },
    {
      label: t('admin.replayMore'),
      disabledReason: isOn ? undefined : t('admin.failed.webhookOff'),
      onSelect: () => setOpen('replay')
    },
    { kind: 'separator' },
    { label: t('admin.deleteMore'), danger: true, onSelect: () => setOpen('delete') }
  ]

  return (
    <>
      <div className={styles.head}>
        <dl className={styles.facts}>
          <dt>{t('admin.state')}</dt>
          <dd>
            <WebhookState webhook={webhook} />
          </dd>
          <dt>{t('admin.events')}</dt>
          <dd>{kindsText(webhook.kinds)}</dd>
          <dt>{t('admin.whatIsSent')}</dt>
          <dd>{sentWords(webhook)}</dd>
        </dl>
        <div className="row-x wrap">
          <Button icon={Pencil} onClick={() => setOpen('edit')}>
            {t('admin.edit')}
          </Button>
          <Button
            icon={Send}
            busy={isTesting}
            disabled={!isOn}
            reason={isOn ? undefined : t('admin.failed.webhookOff')}
            onClick={() => void test()}
          >
            {t('admin.sendTest')}
          </Button>
          <RowMenu items={more} label={t('admin.moreActions')} />
        </div>
      </div>
      {!isOn && (
        <Banner tone="warn" action={{ label: t('admin.turnOnNow'), onClick: () => void turn() }}>
          {webhook.disabled_reason ?? t('admin.webhookIsOff')}
        </Banner>
      )}
      <Deliveries webhookId={id} isOn={isOn} />
      {open === 'edit' && <WebhookDialog webhook={webhook} onClose={close} />}
      {open === 'replay' && <ReplayDialog webhookId={id} onClose={close} />}
      {open === 'rotate' && (
        <AsyncConfirmDialog
          title={t('admin.rotateTitle')}
          text={t('admin.rotateMeans')}
          confirmLabel={t('admin.rotate')}
          keepLabel={t('admin.keepSecret')}
          isHarmless
          onConfirm={rotate}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <AsyncConfirmDialog
          title={t('admin.deleteWebhookTitle')}
          text={t('admin.deleteWebhookMeans', { url: webhook.url })}
          confirmLabel={t('admin.deleteWebhook')}
          keepLabel={t('admin.keepWebhook')}
          onConfirm={remove}
          onClose={close}
        />
      )}
      {typeof open === 'object' && <SecretDialog secret={open.secret} onClose={close} />}
    </>
  )
}

function sentWords({ include_text, include_notes }: Webhook): string {
  if (include_text && include_notes) return t('admin.sendsTextAndNotes')
  if (include_text) return t('admin.sendsText')
  return include_notes ? t('admin.sendsNotes') : t('admin.sendsFacts')
}
