import { useId, useState } from 'react'
import { shownItems } from '../../../../../src/tickets/forms/judge-form.ts'
import type { FieldValue } from '../../../app/custom-fields/custom-field.ts'
import { FieldInput } from '../../../app/custom-fields/field-input.tsx'
import { t } from '../../../lib/strings.ts'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { Switch } from '../../../ui/form-controls.tsx'
import type { Field, FormItem } from './ticket-form.ts'
import styles from './ticket-forms.module.css'

/** The form as a client sees it, or staff, with what it has now. It can be filled in; nothing is sent. */
export function FormPreview({ items, fields }: { items: readonly FormItem[]; fields: readonly Field[] }) {
  const id = useId()
  const [isForStaff, setForStaff] = useState(false)
  const [values, setValues] = useState<Record<number, FieldValue | undefined>>({})
  const byId = new Map(fields.map(field => [field.id, field]))
  const isAsked = ({ field_id }: FormItem) => {
    const field = byId.get(field_id)
    return field?.is_archived === 0 && (isForStaff || field.client_access === 'write')
  }
  const shown = shownItems(items.filter(isAsked), id => values[id])
  return (
    <section className={`card ${styles.preview}`} aria-labelledby={id}>
      <div className="hd">
        <h2 id={id} className="grow">
          {t(isForStaff ? 'ticket-forms.asStaff' : 'ticket-forms.asClient')}
        </h2>
        <span className={styles.hint}>{t('ticket-forms.tryIt')}</span>
      </div>
      <div className={styles.sheet}>
        <TextField label={t('ticket-forms.subject')} autoComplete="off" />
        {shown.map(item => (
          <div key={item.field_id} className={item.show_if ? styles.branch : undefined}>
            <FieldInput
              field={byId.get(item.field_id)!}
              optional={item.required === 0}
              value={values[item.field_id]}
              onChange={value => setValues({ ...values, [item.field_id]: value })}
            />
          </div>
        ))}
        <TextArea label={t('ticket-forms.message')} rows={3} />
      </div>
      <div className={styles.staff}>
        <Switch label={t('ticket-forms.asStaffSwitch')} checked={isForStaff} onChange={setForStaff} />
      </div>
    </section>
  )
}
