import { post } from '../../../app/api-client.ts'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { t } from '../../../lib/strings.ts'
import { TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { refreshDeliveries } from './webhooks.ts'

/** Redelivers all that has failed since a time, or was missed while the webhook was off. */
export function ReplayDialog({ webhookId, onClose }: { webhookId: number; onClose: () => void }) {
  const form = useForm(
    { since: localDayAgo() },
    { problems: { since: t('admin.sinceUnfit') }, failureText: adminFailureText }
  )

  async function replay({ since }: typeof form.values) {
    // The field has local time; the service expects UTC.
    const instant = since ? new Date(since).toISOString() : ''
    const { count } = await post('/api/admin/webhooks/deliveries/replay', { webhook_id: webhookId, since: instant })
    toast({ text: t('admin.replayed', { count }) })
    void refreshDeliveries()
  }

  return (
    <FormDialog
      title={t('admin.replayTitle')}
      form={form}
      saveLabel={t('admin.replayAll')}
      keepLabel={t('admin.leaveAsIs')}
      onSave={replay}
      onClose={onClose}
    >
      <p>{t('admin.replayMeans')}</p>
      <TextField label={t('admin.sinceWhen')} type="datetime-local" {...form.field('since')} />
    </FormDialog>
  )
}

/** Yesterday at this time, in the format of `datetime-local`. */
function localDayAgo(): string {
  const dayAgo = new Date(Date.now() - 86_400_000)
  return new Date(dayAgo.getTime() - dayAgo.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
