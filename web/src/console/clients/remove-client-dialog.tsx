import { useId, useState } from 'react'
import { post, queryClient } from '../../app/api-client.ts'
import { useForm } from '../../app/form.ts'
import { FormDialog } from '../../app/form-dialog.tsx'
import { useApiPages } from '../../app/use-api-pages.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useNavigate } from '../navigation.ts'
import type { ClientDetail } from './client-detail.ts'
import styles from './client-form.module.css'

type Mode = 'anonymize' | 'cascade'

/** Deletes or anonymizes a client. Both are irreversible. */
export function RemoveClientDialog({ client, onClose }: { client: ClientDetail; onClose: () => void }) {
  const name = nameOf(client)
  const group = useId()
  const navigate = useNavigate()
  const [mode, setMode] = useState<Mode>('anonymize')
  const form = useForm({ confirm_email: '' })
  const tickets = useApiPages('/api/admin/tickets/list', { client_id: client.id, limit: 1 })

  async function remove({ confirm_email }: typeof form.values) {
    await post('/api/admin/clients/delete', { id: client.id, mode, confirm_email: confirm_email.trim() })
    toast({ text: t(mode === 'cascade' ? 'clients.deletedToast' : 'clients.anonymisedToast', { name }) })
    void navigate({ to: '/clients' }).then(() => queryClient.invalidateQueries())
  }

  return (
    <FormDialog
      title={t('clients.deleteTitle', { name })}
      size={620}
      form={form}
      saveLabel={t(mode === 'cascade' ? 'clients.deleteForGood' : 'clients.anonymise')}
      busyLabel={t('clients.deleting')}
      keepLabel={t('clients.keep')}
      tone="confirm"
      isDisabled={form.values.confirm_email.trim() !== client.email}
      onSave={remove}
      onClose={onClose}
    >
      <fieldset className={styles.modes}>
        <legend>{t('clients.deleteLede', { name, count: tickets.data?.pages[0]?.total ?? 0 })}</legend>
        {(['anonymize', 'cascade'] as const).map(value => (
          <label key={value} className={styles.mode}>
            <input type="radio" name={group} value={value} checked={mode === value} onChange={() => setMode(value)} />
            <span>
              <b>{t(value === 'cascade' ? 'clients.cascade' : 'clients.anonymise')}</b>
              <span className="muted">{t(value === 'cascade' ? 'clients.cascadeText' : 'clients.anonymiseText')}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <TextField
        label={t('clients.typeEmail', { email: client.email })}
        autoComplete="off"
        spellCheck={false}
        {...form.field('confirm_email')}
      />
    </FormDialog>
  )
}
