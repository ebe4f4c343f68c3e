import type { BodyOf } from '@deskline/client'
import { type FormEvent, useId, useState } from 'react'
import { failureOf, failureText } from '../../app/failures.ts'
import { languageOptions } from '../../app/language-options.ts'
import { useDeskWrite } from '../../app/writes.ts'
import { nameOf } from '../../lib/person-name.ts'
import { type Key, t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import styles from './clients.module.css'

interface ClientFields {
  first_name: string
  last_name: string
  email: string
  phone_number: string
  company_name: string
  street_address: string
  street_address_2: string
  postcode: string
  city: string
  state: string
}

type FieldName = keyof ClientFields

interface EditedClient extends Partial<Record<FieldName, string | null | undefined>> {
  id: number
  /** Undefined while it is not known. */
  language?: Language | undefined
}

/** In which they are written to; null is the language of the desk. */
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
  /** Changes this one; without it somebody is added. */
  client?: EditedClient
  onAdded?: (client: { id: number; first_name: string; last_name: string; email: string }) => void
}

/** Adds a client, who is invited by e-mail, or changes what is known of one. */
export function ClientFormDialog({ open, ...form }: ClientFormProps) {
  return open ? <ClientForm {...form} /> : null
}

function ClientForm({ client, onClose, onAdded }: Omit<ClientFormProps, 'open'>) {
  const formId = useId()
  const given = Object.fromEntries(fields.map(({ name }) => [name, client?.[name] ?? ''])) as unknown as ClientFields
  const [values, setValues] = useState(given)
  const [language, setLanguage] = useState<Language>(client?.language ?? null)
  const asksLanguage = client === undefined || client.language !== undefined
  const hasLanguage = asksLanguage && language !== (client?.language ?? null)
  const [missing, setMissing] = useState<FieldName[]>([])
  const changes = ['/api/admin/clients/list', '/api/admin/clients/detail'] as const
  const create = useDeskWrite('/api/admin/clients/create', { changes: [...changes] })
  const update = useDeskWrite('/api/admin/clients/update', {
    changes: [...changes, '/api/admin/clients/deliverability']
  })
  const { error } = client ? update : create
  const isBusy = create.isPending || update.isPending
  const changed = fields.filter(({ name }) => values[name].trim() !== given[name]).map(({ name }) => name)
  const isChanged = changed.length > 0 || hasLanguage

  async function submit(event: FormEvent) {
    event.preventDefault()
    const empty = fields.filter(({ name, isRequired }) => isRequired && !values[name].trim()).map(({ name }) => name)
    setMissing(empty)
    if (empty.length > 0 || isBusy) return
    const name = nameOf(values)
    if (client) {
      // What is emptied is taken away.
      const body = Object.fromEntries(changed.map(field => [field, values[field].trim() || null]))
      if (isChanged) await update.mutateAsync({ id: client.id, ...body, ...(hasLanguage && { language }) })
      toast({ text: t('clients.saved') })
    } else {
      const body = Object.fromEntries(changed.map(field => [field, values[field].trim()])) as Partial<ClientFields>
      const { data } = await create.mutateAsync({ ...(body as ClientFields), ...(hasLanguage && { language }) })
      toast({ text: t('clients.added', { name }) })
      onAdded?.(data.client)
    }
    onClose()
  }

  function errorOf(name: FieldName) {
    if (missing.includes(name) && !values[name].trim()) return t('clients.required')
    return failureOf(error)?.errors.includes(name) ? failureText(error) : undefined
  }

  const isFieldsFault = fields.some(({ name }) => failureOf(error)?.errors.includes(name))
  return (
    <Dialog
      title={client ? t('clients.editTitle', { name: nameOf(given) }) : t('clients.addTitle')}
      open
      onClose={onClose}
      size={620}
      guarded={isChanged}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('clients.discard')}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            busy={isBusy}
            busyLabel={t(client ? 'clients.saving' : 'clients.adding')}
          >
            {t(client ? 'clients.save' : 'clients.add')}
          </Button>
        </>
      }
    >
      {!client && <p className="muted">{t('clients.addLede')}</p>}
      {error && !isFieldsFault && <Banner tone="bad">{failureText(error)}</Banner>}
      <form id={formId} className={styles.form} noValidate onSubmit={event => void submit(event).catch(() => {})}>
        {fields.map(({ name, label, hint, isRequired, isHalf, type }) => (
          <TextField
            key={name}
            name={name}
            label={t(label)}
            hint={hint && t(hint)}
            optional={!isRequired}
            type={type ?? 'text'}
            dir="auto"
            autoComplete="off"
            maxLength={255}
            value={values[name]}
            error={errorOf(name)}
            className={isHalf ? undefined : styles.wide}
            onChange={value => setValues({ ...values, [name]: value })}
          />
        ))}
        {asksLanguage && (
          <SelectField
            label={t('clients.language')}
            hint={t('clients.languageHint')}
            name="language"
            className={styles.wide}
            options={[{ value: '', label: t('clients.languageOfDesk') }, ...languageOptions]}
            value={language ?? ''}
            onChange={chosen => setLanguage((chosen || null) as Language)}
          />
        )}
      </form>
    </Dialog>
  )
}
