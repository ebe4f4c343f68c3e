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
  type ConditionField,
  type Conditions,
  isUnfinished,
  newCondition,
  operatorsOf,
  operatorText,
  type Scope,
  takesOf,
  withOperator
} from './condition-fields.ts'
import { lineText } from './conditions-text.tsx'
import { MinutesPart } from './minutes-part.tsx'
import styles from './sentence.module.css'
import { Sentence, SentenceLine } from './sentence.tsx'
import { type ConditionOption, type ConditionValues, useConditionValues } from './use-condition-values.ts'

interface ConditionsEditorProps {
  conditions: Conditions
  /** What no condition means: "Every ticket that none above takes". */
  emptyText: string
  /** What they may name; by default tickets alone. */
  scope?: Scope
  /** The word before the first line; by default "If". */
  word?: string
  onChange: (conditions: Conditions) => void
}

/** Conditions as a sentence: "If [Department] is one of [Billing, Sales] or …, and …". */
export function ConditionsEditor({ conditions, emptyText, scope, word, onChange }: ConditionsEditorProps) {
  const values = useConditionValues(
    conditions.all.flatMap(({ any }) => any),
    scope
  )
  const { all } = conditions
  const changeGroup = (at: number, any: Condition[]) =>
    onChange({ all: any.length === 0 ? all.toSpliced(at, 1) : all.toSpliced(at, 1, { any }) })

  return (
    <Sentence>
      {all.length === 0 &&
        (word ? (
          <SentenceLine word={word} legend={emptyText}>
            {emptyText}
          </SentenceLine>
        ) : (
          <p>{emptyText}</p>
        ))}
      {all.map(({ any }, at) => {
        const legend = lineText(any, values)
        return (
          <SentenceLine
            // biome-ignore lint/suspicious/noArrayIndexKey: groups are told apart by their place alone.
            key={at}
            word={at === 0 ? (word ?? t('definition.if')) : t('definition.and')}
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
              values={values}
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
          values={values}
          label={t('definition.addCondition')}
          trigger={trigger => <AddPart {...trigger}>{t('definition.addCondition')}</AddPart>}
          onChange={field => onChange({ all: [...all, { any: [newCondition(field)] }] })}
        />
      </SentenceLine>
    </Sentence>
  )
}

interface FieldPickerProps {
  values: ConditionValues
  label: string
  trigger: (props: TriggerProps) => React.ReactElement
  selected?: string
  onChange: (field: ConditionField) => void
}

function FieldPicker({ values, onChange, ...picker }: FieldPickerProps) {
  const items = values.fields.map(({ name, label }) => ({ id: name, label }))
  return <Picker {...picker} items={items} onChange={name => onChange(values.fieldOf(name)!)} />
}

interface OneConditionProps {
  condition: Condition
  values: ConditionValues
  isFirst: boolean
  onChange: (condition: Condition) => void
  onRemove: (() => void) | undefined
}

function OneCondition({ condition, values, isFirst, onChange, onRemove }: OneConditionProps) {
  const { op } = condition
  const field = values.fieldOf(condition.field)
  if (!field)
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
        values={values}
        label={t('definition.chooseField')}
        selected={field.name}
        trigger={trigger => <Part {...trigger}>{field.label}</Part>}
        onChange={next => next.name !== field.name && onChange(newCondition(next))}
      />
      <Picker
        label={t('definition.chooseOperator')}
        items={operatorsOf(field).map(id => ({ id, label: operatorText({ field: '', op: id }) }))}
        selected={op}
        trigger={trigger => <Operator {...trigger}>{operatorText(condition)}</Operator>}
        onChange={next => onChange(withOperator(field, condition, next as Parameters<typeof withOperator>[2]))}
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

const ofLists: Partial<Record<string, string>> = { is: 'in', is_not: 'not_in' }

type ValueProps = Pick<OneConditionProps, 'condition' | 'values' | 'onChange'> & { field: ConditionField }

function Value({ condition, field, values, onChange }: ValueProps) {
  const { op, value } = condition
  const takes = takesOf(field, op)
  const label = t('definition.valueOf', { field: field.label })
  const set = (value: Condition['value']) => onChange({ ...condition, value })
  const unfinished = isUnfinished(condition) || undefined
  const trigger = (trigger: TriggerProps) => (
    <Part {...trigger} aria-label={`${label}: ${values.valueText(condition)}`} aria-invalid={unfinished}>
      {values.valueText(condition) || t('definition.choose')}
    </Part>
  )
  switch (takes) {
    case 'nothing':
      return null
    case 'minutes':
      return <MinutesPart inDays label={label} minutes={value as number | undefined} onChange={set} />
    case 'yes or no':
      return (
        <Picker
          label={label}
          items={[
            { id: 1, label: t('definition.yes') },
            { id: 0, label: t('definition.no') }
          ]}
          selected={value === undefined ? undefined : Number(value)}
          trigger={trigger}
          onChange={set}
        />
      )
    case 'many':
    case undefined: {
      const chosen = [value ?? []].flat() as (string | number)[]
      // The API also has "is" with one value of what can be chosen: a list of one here.
      const set = (value: (string | number)[]) => onChange({ ...condition, op: ofLists[op] ?? op, value })
      const searched = {
        label,
        trigger,
        chosen: chosen as number[],
        known: values.optionsOf(field.name),
        onChange: set
      }
      if (field.name === 'client_id') return <ClientPicker {...searched} />
      if (field.name === 'organisation_id') return <OrganisationPicker {...searched} />
      return (
        <Picker
          multiple
          label={label}
          items={values.optionsOf(field.name)}
          selected={chosen}
          trigger={trigger}
          onChange={set}
        />
      )
    }
    default:
      return (
        <input
          className="part"
          type={takes === 'day' ? 'date' : takes === 'number' ? 'number' : 'text'}
          {...(takes === 'number' && { step: 'any' })}
          aria-label={label}
          aria-invalid={unfinished}
          maxLength={200}
          value={takes === 'day' ? String(value ?? '').slice(0, 10) : String(value ?? '')}
          onChange={({ target }) =>
            set(target.value === '' ? undefined : takes === 'number' ? target.valueAsNumber : target.value)
          }
        />
      )
  }
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
