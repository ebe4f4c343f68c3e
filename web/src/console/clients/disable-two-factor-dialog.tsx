import { post } from '../../app/api-client.ts'
import { failureText, hasReason } from '../../app/failures.ts'
import { useForm } from '../../app/form.ts'
import { FormDialog } from '../../app/form-dialog.tsx'
import { reloadQueries } from '../../app/reload-queries.ts'
import { t } from '../../lib/strings.ts'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'

/** Disables the second factor of a client who has lost it. The reason is written to the audit log. */
export function DisableTwoFactorDialog({ id, name, onClose }: { id: number; name: string; onClose: () => void }) {
  const form = useForm(
    { reason: '' },
    {
      failureText: error =>
        hasReason(error, 'two_factor_not_enabled') ? t('clients.twoFactorWasOff', { name }) : failureText(error)
    }
  )

  async function turnOff({ reason }: typeof form.values) {
    await post('/api/admin/clients/reset_2fa', { id, reason: reason.trim() })
    void reloadQueries('/api/admin/clients/detail')
    toast({ text: t('clients.twoFactorIsOff', { name }) })
  }

  return (
    <FormDialog
      title={t('clients.twoFactorTitle', { name })}
      form={form}
      saveLabel={t('clients.turnOff')}
      keepLabel={t('clients.keep')}
      tone="confirm"
      isDisabled={!form.values.reason.trim()}
      onSave={turnOff}
      onClose={onClose}
    >
      <p>{t('clients.twoFactorText', { name })}</p>
      <TextField label={t('clients.reason')} maxLength={255} autoComplete="off" {...form.field('reason')} />
    </FormDialog>
  )
}
