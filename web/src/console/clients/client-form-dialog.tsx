import type { BodyOf } from '@deskline/client'
import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useForm } from '../../app/form.ts'
import { FormDialog } from '../../app/form-dialog.tsx'
import { languageOptions } from '../../app/language-options.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { nameOf } from '../../lib/person-name.ts'
import { type Key, t } from '../../lib/strings.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import styles from './client-form.module.css'

type FieldName =
  | ('first_name' | 'last_name' | 'email' | 'phone_number' | 'company_name')
  | ('street_address' | 'street_address_2' | 'postcode' | 'city' | 'state')
type ClientFields = Record<FieldName, string>

interface EditedClient extends Partial<Record<FieldName, string | null | undefined>> {
  id: number
  /** Undefined while it is not known. */
  language?: Language | undefined
}

/** The language of e-mails to the client; null is the language of the desk. */
type Language = NonNullable<BodyOf<'/api/admin/clients/update'>['language']> | null

const fields: { name: FieldName; label: Key; hint?: Key; isRequired?: true; isHalf?: true; type?: string }[] = [
  { name: 'first_name', label: 'clients.firstName', isRequired: true, isHalf: true },
  { name: 'last_name', label: 'clients.lastName', isRequired: true, isHalf: true },
  { name: 'email', label: 'clients.email', isRequired: true, type: 'email' },
  { name: 'company_name', label: 'clients.company', isHalf: true },
  { name: 'phone_number', label: 'clients.phone', hint: 'clients.phoneHint', isHalf: true, type: 'tel' },
  { name: 'street_address', label: 'clients.street', isHalf: true },
  { name: 'street_address_2', label: 'clients.street2', isHalf: true },
  { name: 'postcode', label: 'clients.postcode', isHalf: true },
  { name: 'city', label: 'clients.city', isHalf: true },
  { name: 'state', label: 'clients.state' }
]

interface ClientFormProps {
  open: boolean
  onClose: () => void
  /** The client to edit; without it a client is added. */
  client?: EditedClient
  onAdded?: (client: { id: number; first_name: string; last_name: string; email: string }) => void
}

/** Adds a client, who is invited by e-mail, or edits one. */
export function ClientFormDialog({ open, ...form }: ClientFormProps) {
  return open ? <ClientForm {...form} /> : null
}

function ClientForm({ client: opened, onClose, onAdded }: Omit<ClientFormProps, 'open'>) {
  // What arrives later is no change that was made here.
  const [client] = useState(opened)
  const given = Object.fromEntries(fields.map(({ name }) => [name, client?.[name] ?? ''])) as ClientFields
  const asksLanguage = client === undefined || client.language !== undefined
  const form = useForm<ClientFields & { language: string }>(
    { ...given, language: client?.language ?? '' },
    {
      problems: { phone_number: t('clients.phoneHint') },
      reasons: { email_taken: { email: t('clients.emailInUse') } }
    }
  )

  async function save({ language, ...values }: typeof form.values) {
    const changed = fields.filter(({ name }) => values[name].trim() !== given[name]).map(({ name }) => name)
    const chosen = language === (client?.language ?? '') ? {} : { language: (language || null) as Language }
    if (client) {
      // An emptied field is removed.
      const body = Object.fromEntries(changed.map(field => [field, values[field].trim() || null]))
      if (form.isChanged) await post('/api/admin/clients/update', { id: client.id, ...body, ...chosen })
      toast({ text: t('clients.saved') })
    } else {
      const body = Object.fromEntries(changed.map(field => [field, values[field].trim()])) as ClientFields
      const data = await post('/api/admin/clients/create', { ...body, ...chosen })
      toast({ text: t('clients.added', { name: nameOf(values) }) })
      onAdded?.(data.client)
    }
    void reloadQueries('/api/admin/clients/list', '/api/admin/clients/detail', '/api/admin/clients/deliverability')
  }

  return (
    <FormDialog
      title={client ? t('clients.editTitle', { name: nameOf(given) }) : t('clients.addTitle')}
      size={620}
      form={form}
      saveLabel={t(client ? 'clients.save' : 'clients.add')}
      busyLabel={t(client ? 'clients.saving' : 'clients.adding')}
      keepLabel={t('clients.discard')}
      onSave={save}
      onClose={onClose}
    >
      {!client && <p className="muted">{t('clients.addLede')}</p>}
      <div className={styles.form}>
        {fields.map(({ name, label, hint, isRequired, isHalf, type }) => (
          <TextField
            key={name}
            label={t(label)}
            hint={hint && t(hint)}
            optional={!isRequired}
            type={type ?? 'text'}
            dir="auto"
            autoComplete="off"
            maxLength={255}
            className={isHalf ? undefined : styles.wide}
            {...form.field(name)}
          />
        ))}
        {asksLanguage && (
          <SelectField
            label={t('clients.language')}
            hint={t('clients.languageHint')}
            className={styles.wide}
            options={[{ value: '', label: t('clients.languageOfDesk') }, ...languageOptions]}
            {...form.field('language')}
          />
        )}
      </div>
    </FormDialog>
  )
}
