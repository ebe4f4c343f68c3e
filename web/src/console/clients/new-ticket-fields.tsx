import { shownItems } from '../../../../src/tickets/forms/judge-form.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import type { CustomField, FieldValue } from '../../app/custom-fields/custom-field.ts'
import { FieldInput } from '../../app/custom-fields/field-input.tsx'
import styles from './new-ticket.module.css'

export type TypedFields = Readonly<Record<string, FieldValue>>

/** The custom fields that the form of a department asks, with what is typed; none is needed of staff. */
export function useAskedFields(deptid: number | undefined, typed: TypedFields): readonly CustomField[] {
  const asked = useApiQuery('/api/ticket-forms', { deptid: deptid ?? 0 }, { enabled: deptid !== undefined })
  const items = asked.data?.form?.items.map(item => ({ ...item, field_id: item.field.id })) ?? []
  const keys = new Map(items.map(({ field }) => [field.id, field.key]))
  return shownItems(items, id => typed[keys.get(id) ?? '']).map(({ field }) => field)
}

/** Of what is typed, that which is asked. */
export function answersTo(fields: readonly CustomField[], typed: TypedFields): Record<string, FieldValue> {
  const asked = new Set(fields.map(({ key }) => key))
  return Object.fromEntries(Object.entries(typed).filter(([key]) => asked.has(key)))
}

interface NewTicketFieldsProps {
  fields: readonly CustomField[]
  typed: TypedFields
  errors: Readonly<Record<string, string>>
  onChange(typed: TypedFields): void
}

export function NewTicketFields({ fields, typed, errors, onChange }: NewTicketFieldsProps) {
  if (fields.length === 0) return null
  return (
    <div className={styles.fields}>
      {fields.map(field => (
        <FieldInput
          key={field.key}
          field={field}
          optional
          value={typed[field.key]}
          error={errors[field.key]}
          onChange={value => {
            const { [field.key]: _, ...others } = typed
            onChange(value === undefined ? others : { ...others, [field.key]: value })
          }}
        />
      ))}
    </div>
  )
}
