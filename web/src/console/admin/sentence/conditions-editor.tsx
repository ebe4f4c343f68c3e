import { X } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useDebounced } from '../../../app/use-debounced.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { IconButton } from '../../../ui/button.tsx'
import { AddPart, Operator, Part } from '../../../ui/part.tsx'
import { Picker } from '../../../ui/picker.tsx'
import type { TriggerProps } from '../../../ui/popover.ts'
import {
  type Condition,
  type ConditionFieldName,
  type Conditions,
  conditionFields,
  isConditionField,
  isUnfinished,
  newCondition,
  operatorLabel,
  operatorsOf,
  takesOf,
  withOperator
} from './condition-fields.ts'
import { fieldText, lineText, operatorText } from './conditions-text.tsx'
import { MinutesPart } from './minutes-part.tsx'
import styles from './sentence.module.css'
import { Sentence, SentenceLine } from './sentence.tsx'
import { type ConditionOption, type ConditionValues, useConditionValues } from './use-condition-values.ts'

interface ConditionsEditorProps {
  conditions: Conditions
  /** What no condition means: "Every ticket that none above takes". */
  emptyText: string
  onChange: (conditions: Conditions) => void
}

/** Conditions as a sentence: "If [Department] is one of [Billing, Sales] or …, and …". */
export function ConditionsEditor({ conditions, emptyText, onChange }: ConditionsEditorProps) {
  const values = useConditionValues(conditions.all.flatMap(({ any }) => any))
  const { all } = conditions
  const changeGroup = (at: number, any: Condition[]) =>
    onChange({ all: any.length === 0 ? all.toSpliced(at, 1) : all.toSpliced(at, 1, { any }) })

  return (
    <Sentence>
      {all.length === 0 && <p>{emptyText}</p>}
      {all.map(({ any }, at) => {
        const legend = lineText(any, values)
        return (
          <SentenceLine
            // biome-ignore lint/suspicious/noArrayIndexKey: groups are told apart by their place alone.
            key={at}
            word={t(at === 0 ? 'definition.if' : 'definition.and')}
            legend={legend}
            remove={{ label: t('definition.removeLine', { line: legend }), onClick: () => changeGroup(at, []) }}
          >
            {any.map((condition, place) => (
              <OneCondition
                // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                key={place}
                condition={condition}
                values={values}
                isFirst={place === 0}
                onChange={next => changeGroup(at, any.with(place, next))}
                onRemove={any.length > 1 ? () => changeGroup(at, any.toSpliced(place, 1)) : undefined}
              />
            ))}
            <FieldPicker
              label={t('definition.orMore')}
              trigger={trigger => (
                <Part {...trigger} adds>
                  {t('definition.orMore')}
                </Part>
              )}
              onChange={field => changeGroup(at, [...any, newCondition(field)])}
            />
          </SentenceLine>
        )
      })}
      <SentenceLine word="" legend={t('definition.addCondition')}>
        <FieldPicker
          label={t('definition.addCondition')}
          trigger={trigger => <AddPart {...trigger}>{t('definition.addCondition')}</AddPart>}
          onChange={field => onChange({ all: [...all, { any: [newCondition(field)] }] })}
        />
      </SentenceLine>
    </Sentence>
  )
}

interface FieldPickerProps {
  label: string
  trigger: (props: TriggerProps) => React.ReactElement
  selected?: ConditionFieldName
  onChange: (field: ConditionFieldName) => void
}

function FieldPicker(props: FieldPickerProps) {
  const items = (Object.keys(conditionFields) as ConditionFieldName[]).map(id => ({
    id,
    label: t(conditionFields[id].label)
  }))
  return <Picker {...props} items={items} />
}

interface OneConditionProps {
  condition: Condition
  values: ConditionValues
  isFirst: boolean
  onChange: (condition: Condition) => void
  onRemove: (() => void) | undefined
}

function OneCondition({ condition, values, isFirst, onChange, onRemove }: OneConditionProps) {
  const { field, op } = condition
  if (!isConditionField(field))
    return (
      <span className={styles.unknown}>
        {!isFirst && `${t('definition.or')} `}
        {lineText([condition], values)}
      </span>
    )
  return (
    <>
      {!isFirst && <span className={styles.or}>{t('definition.or')}</span>}
      <FieldPicker
        label={t('definition.chooseField')}
        selected={field}
        trigger={trigger => <Part {...trigger}>{fieldText(condition)}</Part>}
        onChange={next => next !== field && onChange(newCondition(next))}
      />
      <Picker
        label={t('definition.chooseOperator')}
        items={operatorsOf(field).map(id => ({ id, label: t(operatorLabel(id)!) }))}
        selected={op}
        trigger={trigger => <Operator {...trigger}>{operatorText(condition)}</Operator>}
        onChange={next => onChange(withOperator(condition, next as Parameters<typeof withOperator>[1]))}
      />
      <Value condition={condition} field={field} values={values} onChange={onChange} />
      {onRemove && (
        <IconButton
          icon={X}
          size={14}
          label={t('definition.removeLine', { line: lineText([condition], values) })}
          onClick={onRemove}
          className={styles.remove ?? ''}
        />
      )}
    </>
  )
}

type ValueProps = Pick<OneConditionProps, 'condition' | 'values' | 'onChange'> & { field: ConditionFieldName }

function Value({ condition, field, values, onChange }: ValueProps) {
  const { op, value } = condition
  const takes = takesOf(field, op)
  const label = t('definition.valueOf', { field: fieldText(condition) })
  const set = (value: Condition['value']) => onChange({ ...condition, value })
  const unfinished = isUnfinished(condition) || undefined
  if (takes === 'nothing') return null
  if (takes === 'many' || takes === undefined) {
    const chosen = Array.isArray(value) ? [...(value as (string | number)[])] : []
    const trigger = (trigger: TriggerProps) => (
      <Part {...trigger} aria-label={`${label}: ${values.valueText(condition)}`} aria-invalid={unfinished}>
        {values.valueText(condition) || t('definition.choose')}
      </Part>
    )
    const searched = { label, trigger, chosen: chosen as number[], known: values.optionsOf(field), onChange: set }
    if (field === 'client_id') return <ClientPicker {...searched} />
    if (field === 'organisation_id') return <OrganisationPicker {...searched} />
    return (
      <Picker
        multiple
        label={label}
        items={values.optionsOf(field)}
        selected={chosen}
        trigger={trigger}
        onChange={set}
      />
    )
  }
  if (takes === 'minutes') return <MinutesPart label={label} minutes={value as number | undefined} onChange={set} />
  return (
    <input
      className="part"
      type={takes === 'day' ? 'date' : 'text'}
      aria-label={label}
      aria-invalid={unfinished}
      maxLength={200}
      value={takes === 'day' ? String(value ?? '').slice(0, 10) : String(value ?? '')}
      onChange={event => set(event.target.value || undefined)}
    />
  )
}

interface SearchedPickerProps {
  label: string
  trigger: (props: TriggerProps) => React.ReactElement
  chosen: number[]
  /** Those that are chosen, which stand first. */
  known: ConditionOption[]
  onChange: (ids: number[]) => void
}

function ClientPicker(props: SearchedPickerProps) {
  const [search, setSearch] = useState('')
  const found = useApiQuery('/api/admin/clients/list', searchOf(useDebounced(search, 200)), keepFormer)
  const items = found.data?.clients.map(client => ({ id: client.id, label: nameOf(client), hint: client.email })) ?? []
  return <SearchedPicker {...props} items={items} search={search} onSearch={setSearch} />
}

function OrganisationPicker(props: SearchedPickerProps) {
  const [search, setSearch] = useState('')
  const found = useApiQuery('/api/admin/organisations/list', searchOf(useDebounced(search, 200)), keepFormer)
  const items = found.data?.organisations.map(({ id, name }) => ({ id, label: name })) ?? []
  return <SearchedPicker {...props} items={items} search={search} onSearch={setSearch} />
}

const keepFormer = { placeholderData: <Data,>(former: Data) => former }

function searchOf(text: string): { limit: number; search?: string } {
  return { limit: 20, ...(text.trim() && { search: text.trim() }) }
}

type FoundProps = SearchedPickerProps & {
  items: { id: number; label: string; hint?: string }[]
  search: string
  onSearch: (text: string) => void
}

function SearchedPicker({ chosen, known, items, search, onSearch, ...picker }: FoundProps) {
  const own = known.map(({ id, label }) => ({ id: Number(id), label }))
  const others = items.filter(({ id }) => !chosen.includes(id))
  return (
    <Picker
      multiple
      {...picker}
      items={search.trim() === '' ? [...own, ...others] : items}
      selected={chosen}
      onSearch={onSearch}
    />
  )
}
