import { ListChecks } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { type FieldValue, fieldValueText } from '../../app/custom-fields/custom-field.ts'
import { FieldInput } from '../../app/custom-fields/field-input.tsx'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Picker } from '../../ui/picker.tsx'
import { type Field, fieldsPath, fieldsStaleTime } from '../ticket/ticket-fields.ts'
import css from './bulk-bar.module.css'
import type { BulkChange } from './bulk-change.ts'

interface BulkFieldProps {
  count: number
  isBusy: boolean
  onChange(change: BulkChange): void
}

/** Gives a custom field of the selected tickets a value; nothing where there are no fields. */
export function BulkField({ count, isBusy, onChange }: BulkFieldProps) {
  const [chosen, setChosen] = useState<Field>()
  const { data } = useApiQuery(fieldsPath, undefined, { staleTime: fieldsStaleTime })
  const fields = (data?.fields ?? []).filter(({ is_archived }) => !is_archived)
  if (fields.length === 0) return null
  return (
    <>
      <Picker
        label={t('fields-bulk.change')}
        emptyText={t('inbox.nothingFound')}
        items={fields.map(({ id, label }) => ({ id, label }))}
        onChange={id => setChosen(fields.find(field => field.id === id))}
        trigger={trigger => (
          <button {...trigger} type="button" className="btn quiet sm" disabled={isBusy}>
            <ListChecks size={16} aria-hidden />
            <span className={css.label}>{t('fields-bulk.change')}</span>
          </button>
        )}
      />
      {chosen && (
        <FieldDialog
          field={chosen}
          count={count}
          onClose={() => setChosen(undefined)}
          onApply={value => {
            setChosen(undefined)
            const shown = value === null ? t('fields-bulk.none') : fieldValueText(chosen, value)
            onChange({ action: 'field', field: chosen, value, shown })
          }}
        />
      )}
    </>
  )
}

interface FieldDialogProps {
  field: Field
  count: number
  onApply(value: FieldValue | null): void
  onClose(): void
}

/** What is left empty takes the value away. */
function FieldDialog({ field, count, onApply, onClose }: FieldDialogProps) {
  const id = useId()
  const [value, setValue] = useState<FieldValue>()
  function apply(event: FormEvent) {
    event.preventDefault()
    const isNumber = field.kind === 'number' && value !== undefined
    onApply(value === undefined ? null : isNumber ? Number(value) : value)
  }
  return (
    <Dialog
      open
      title={t('fields-bulk.title', { field: field.label, count })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('fields-bulk.keep')}</Button>
          <Button variant={value === undefined ? 'danger' : 'primary'} type="submit" form={id}>
            {t(value === undefined ? 'fields-bulk.clear' : 'fields-bulk.apply')}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={apply}>
        <FieldInput field={field} value={value} onChange={setValue} />
      </form>
    </Dialog>
  )
}
