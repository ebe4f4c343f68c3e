import { DesklineError } from '@deskline/client'
import { useState } from 'react'
import { shownItems } from '../../../../src/tickets/forms/judge-form.ts'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import type { CustomField, FieldValue } from '../../app/custom-fields/custom-field.ts'
import { FieldInput } from '../../app/custom-fields/field-input.tsx'
import { failureText } from '../../app/failures.ts'
import { useForm } from '../../app/form.ts'
import { FormDialog } from '../../app/form-dialog.tsx'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'

interface ChangeFieldsProps {
  id: number
  /** By its name, in whose form some fields may be hidden. */
  department: string
  /** Those that the customer may write. */
  fields: readonly CustomField[]
  values: Readonly<Record<string, unknown>>
  onChanged(): void
  onClose(): void
}

/** The customer changes what they said of the ticket. */
export function ChangeFields({ id, department, fields, values, onChanged, onClose }: ChangeFieldsProps) {
  const [changes, setChanges] = useState<Record<string, FieldValue | undefined>>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const form = useForm(
    {},
    { failureText: error => (faultsIn(error).length > 0 ? t('ui.fieldRefused') : failureText(error)) }
  )

  const shown = useShownFields(department, fields, key => (key in changes ? changes[key] : values[key]))

  async function save() {
    const given = shown.filter(({ key }) => key in changes).map(({ key }) => [key, changes[key] ?? null])
    try {
      await post('/api/tickets/fields', { id, fields: Object.fromEntries(given) })
    } catch (error) {
      setErrors(Object.fromEntries(faultsIn(error).map(key => [key, t('ui.fieldRefused')])))
      throw error
    }
    announce(t('portal-ticket.fieldsSaved'))
    onChanged()
  }

  return (
    <FormDialog
      title={t('portal-ticket.changeFieldsTitle')}
      form={form}
      isChanged={Object.keys(changes).length > 0}
      saveLabel={t('portal-ticket.saveFields')}
      keepLabel={t('portal-ticket.keepFields')}
      onSave={save}
      onClose={onClose}
    >
      {shown.map(field => (
        <FieldInput
          key={field.key}
          field={field}
          optional
          value={field.key in changes ? changes[field.key] : (values[field.key] as FieldValue | undefined)}
          error={errors[field.key]}
          onChange={value => {
            setChanges({ ...changes, [field.key]: value })
            setErrors(({ [field.key]: _, ...others }) => others)
          }}
        />
      ))}
    </FormDialog>
  )
}

/** Those that the form of the department shows with these values, judged as the service judges them; all where it has no form. */
function useShownFields(
  department: string,
  fields: readonly CustomField[],
  valueIn: (key: string) => unknown
): readonly CustomField[] {
  const { data: all } = useApiQuery('/api/departments/list')
  const deptid = all?.departments.find(({ name }) => name === department)?.deptid
  const { data } = useApiQuery('/api/ticket-forms', { deptid: deptid ?? 0 }, { enabled: deptid !== undefined })
  const items = (data?.form?.items ?? []).map(({ field, show_if }) => ({ ...field, field_id: field.id, show_if }))
  const keys = new Map(items.map(({ id, key }) => [id, key]))
  const shown = new Set(shownItems(items, id => valueIn(keys.get(id)!)).map(({ key }) => key))
  return fields.filter(({ key }) => shown.has(key) || !items.some(item => item.key === key))
}

/** The keys of the fields that were refused. */
function faultsIn(error: unknown): string[] {
  if (!(error instanceof DesklineError)) return []
  return error.errors.filter(name => name.startsWith('fields.')).map(name => name.slice('fields.'.length))
}
