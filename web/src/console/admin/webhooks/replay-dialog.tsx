import { type FormEvent, useId } from 'react'
import { desk } from '../../../app/desk.ts'
import { useForm } from '../../../app/form.ts'
import { t } from '../../../lib/strings.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { wordsFor } from '../failure-words.ts'
import forms from '../forms.module.css'
import { refreshDeliveries } from './webhooks.ts'

/** All that has failed since a moment, or was missed while the webhook was off, is delivered once more. */
export function ReplayDialog({ webhookId, onClose }: { webhookId: number; onClose: () => void }) {
  const formId = useId()
  const form = useForm({ since: localDayAgo() }, { problems: { since: t('admin.sinceUnfit') }, words: wordsFor })

  async function replay(event: FormEvent) {
    const done = await form.submit(async ({ since }) => {
      // The field has the time of this place; the service is told it in UTC.
      const instant = since ? new Date(since).toISOString() : ''
      const { data } = await desk.POST('/api/admin/webhooks/deliveries/replay', {
        body: { webhook_id: webhookId, since: instant }
      })
      toast({ text: t('admin.replayed', { count: data.count }) })
    }, event)
    if (!done) return
    void refreshDeliveries()
    onClose()
  }

  return (
    <Dialog
      title={t('admin.replayTitle')}
      open
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('admin.leaveAsIs')}
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={form.isBusy}>
            {t('admin.replayAll')}
          </Button>
        </>
      }
    >
      <form id={formId} className={forms.form} onSubmit={replay} noValidate>
        <p>{t('admin.replayMeans')}</p>
        <TextField label={t('admin.sinceWhen')} type="datetime-local" {...form.field('since')} />
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      </form>
    </Dialog>
  )
}

/** A day ago, as `datetime-local` has it. */
function localDayAgo(): string {
  const dayAgo = new Date(Date.now() - 86_400_000)
  return new Date(dayAgo.getTime() - dayAgo.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
