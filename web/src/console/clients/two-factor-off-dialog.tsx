import { useState } from 'react'
import { failureText, hasReason } from '../../app/failures.ts'
import { useDeskWrite } from '../../app/writes.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'

/** For a client who lost their second factor. Why is written to the audit log. */
export function TwoFactorOffDialog({ id, name, onClose }: { id: number; name: string; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const write = useDeskWrite('/api/admin/clients/reset_2fa', {
    changes: ['/api/admin/clients/detail'],
    onSuccess: () => {
      toast({ text: t('clients.twoFactorIsOff', { name }) })
      onClose()
    }
  })
  const wasOff = hasReason(write.error, 'two_factor_not_enabled')
  return (
    <Dialog
      title={t('clients.twoFactorTitle', { name })}
      open
      onClose={onClose}
      guarded={reason !== ''}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('clients.keep')}
          </Button>
          <Button
            variant="confirm"
            busy={write.isPending}
            disabled={!reason.trim()}
            onClick={() => write.mutate({ id, reason: reason.trim() })}
          >
            {t('clients.turnOff')}
          </Button>
        </>
      }
    >
      <p>{t('clients.twoFactorText', { name })}</p>
      {write.error && (
        <Banner tone={wasOff ? 'info' : 'bad'}>
          {wasOff ? t('clients.twoFactorWasOff', { name }) : failureText(write.error)}
        </Banner>
      )}
      <TextField label={t('clients.reason')} value={reason} onChange={setReason} maxLength={255} autoComplete="off" />
    </Dialog>
  )
}
