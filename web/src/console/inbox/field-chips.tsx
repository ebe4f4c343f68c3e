import type { DataOf } from '@deskline/client'
import { useApiQuery } from '../../app/api-queries.ts'
import { type FieldValue, fieldValueText, typedNumber } from '../../app/custom-fields/custom-field.ts'
import { t } from '../../lib/strings.ts'
import { type FieldName, filterOf, optionsParameter, valueParameter } from './field-filter.ts'
import { PickerChip } from './picker-chip.tsx'
import type { QueueQuery, QueueSearch } from './queue-search.ts'

type Field = DataOf<'/api/admin/fields/list'>['fields'][number]

export interface FieldChipsProps {
  base: QueueQuery
  query: QueueQuery
  isWhole: boolean
  onSearch(change: Partial<QueueSearch>): void
}

/** The chip of each custom field by which lists can be filtered; unless all are shown, of those that are set. */
export function FieldChips({ base, query, isWhole, onSearch }: FieldChipsProps) {
  const { data } = useApiQuery('/api/admin/fields/list', undefined, { staleTime: 60_000 })
  const fields = data?.fields.filter(({ is_filterable, is_filter_ready }) => is_filterable && is_filter_ready) ?? []
  return fields.map(field => {
    const name: FieldName = `f${field.id}`
    const values = filterOf(query, name)
    if (!values && (!isWhole || field.is_archived)) return null
    return (
      <FieldChip
        key={field.id}
        field={field}
        values={values}
        onSet={parameter => onSearch({ [name]: parameter })}
        onClear={() => onSearch({ [name]: filterOf(base, name) ? 'any' : undefined })}
      />
    )
  })
}

interface FieldChipProps {
  field: Field
  values: readonly unknown[] | undefined
  onSet(parameter: string): void
  onClear(): void
}

function FieldChip({ field, values, onSet, onClear }: FieldChipProps) {
  const { kind, label } = field
  const shown = values?.map(value => textOf(field, value)).join(', ')
  const chip = { label, isSet: values !== undefined, onClear, shown: shown && `${label}: ${shown}` }
  if (kind === 'select' || kind === 'multi_select')
    return (
      <PickerChip
        {...chip}
        chosen={values?.map(String) ?? []}
        items={field.options.map(({ id, label }) => ({ id: String(id), label }))}
        onSet={ids => onSet(optionsParameter(kind === 'multi_select', ids.split(',')))}
      />
    )
  if (kind === 'checkbox')
    return (
      <PickerChip
        {...chip}
        chosen={values ? String(values[0]) : ''}
        items={[
          { id: 'true', label: t('ui.yes') },
          { id: 'false', label: t('ui.no') }
        ]}
        onSet={id => onSet(valueParameter(id === 'true'))}
      />
    )
  return (
    <PickerChip
      {...chip}
      chosen=""
      items={[]}
      emptyText={t('inbox.typeValue')}
      typed={text => typedValue(field, text)}
      onSet={onSet}
    />
  )
}

function textOf(field: Field, value: unknown): string {
  const day = field.kind === 'date' ? String(value).slice(0, 10) : value
  return fieldValueText(field, day as FieldValue)
}

/** What is typed as a value of this kind of field; a day is `2026-03-01`. */
function typedValue(field: Field, text: string): { value: string; label: string } | undefined {
  const typed = text.trim()
  if (field.kind === 'number') {
    const number = Number(typedNumber(typed))
    return Number.isFinite(number) ? { value: valueParameter(number), label: textOf(field, number) } : undefined
  }
  if (field.kind === 'date' && Number.isNaN(Date.parse(`${typed}T12:00:00`))) return undefined
  return { value: valueParameter(typed), label: textOf(field, typed) }
}
