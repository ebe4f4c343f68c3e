import { type ReactNode, useId } from 'react'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { FieldMessages, SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { type AskedForm, type AskedItem, type FieldName, nameOf, shownOf, type TypedFields } from './asked-fields.ts'
import styles from './form-fields.module.css'

interface FormFieldsProps {
  form: AskedForm
  typed: TypedFields
  errors: Partial<Record<string, string>>
  onChange(name: FieldName, typed: string): void
}

/** The custom fields that a department asks. Those that depend on an answer open below it. */
export function FormFields({ form, typed, errors, onChange }: FormFieldsProps) {
  const shown = new Set(shownOf(form, typed))

  function change(name: FieldName, value: string) {
    const more = shownOf(form, { ...typed, [name]: value }).length - shown.size
    if (more > 0) announce(t('portal-ticket.moreQuestions', { count: more }))
    onChange(name, value)
  }

  return blocksOf(form.items).map(items => {
    const own = items.filter(item => shown.has(item))
    if (own.length === 0) return null
    return (
      <div key={own[0]!.field.id} className={own[0]!.show_if ? `two ${styles.branch}` : 'two'}>
        {inRows(own).map(({ item, isNarrow }) => (
          <div key={item.field.id} className={isNarrow ? undefined : styles.wide}>
            <FormField
              item={item}
              value={typed[nameOf(item)] ?? ''}
              error={errors[nameOf(item)]}
              onChange={value => change(nameOf(item), value)}
            />
          </div>
        ))}
      </div>
    )
  })
}

/** Items in a row that depend on the same field, so that one that opens moves nothing but what is below it. */
function blocksOf(items: AskedItem[]): AskedItem[][] {
  const blocks: AskedItem[][] = []
  for (const item of items) {
    const block = blocks.at(-1)
    if (block && block[0]!.show_if?.field_id === item.show_if?.field_id) block.push(item)
    else blocks.push([item])
  }
  return blocks
}

/** Two that are short share a row. */
function inRows(items: AskedItem[]): { item: AskedItem; isNarrow: boolean }[] {
  let isSecond = false
  return items.map((item, at) => {
    const next = items[at + 1]
    const isNarrow = isSecond || (isShort(item) && next !== undefined && isShort(next))
    isSecond = isNarrow && !isSecond
    return { item, isNarrow }
  })
}

function isShort({ field: { kind } }: AskedItem): boolean {
  return kind !== 'long_text' && kind !== 'multi_select'
}

interface FormFieldProps {
  item: AskedItem
  value: string
  error: string | undefined
  onChange(value: string): void
}

function FormField({ item: { field, required }, ...given }: FormFieldProps) {
  const props = { ...given, label: <bdi>{field.label}</bdi>, hint: field.hint, optional: required === 0 }
  switch (field.kind) {
    case 'long_text':
      return <TextArea {...props} rows={3} maxLength={10_000} />
    case 'multi_select':
      return <Choices {...props} options={field.options} />
    case 'select':
      return (
        <SelectField
          {...props}
          options={withNone(field.options.map(({ id, label }) => ({ value: String(id), label })))}
        />
      )
    case 'checkbox':
      return (
        <SelectField
          {...props}
          options={withNone([
            { value: '1', label: t('portal-ticket.yes') },
            { value: '0', label: t('portal-ticket.no') }
          ])}
        />
      )
    case 'date':
      return <TextField {...props} type="date" max="9999-12-31" />
    case 'number':
      return <TextField {...props} inputMode="decimal" maxLength={20} />
    default:
      return <TextField {...props} maxLength={255} />
  }
}

function withNone(options: { value: string; label: string }[]) {
  return [{ value: '', label: '' }, ...options]
}

interface ChoicesProps extends Omit<FormFieldProps, 'item'> {
  label: ReactNode
  hint: string
  optional: boolean
  options: AskedItem['field']['options']
}

/** Several of a list. */
function Choices({ label, hint, optional, options, value, error, onChange }: ChoicesProps) {
  const id = useId()
  const chosen = value === '' ? [] : value.split(',')
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined

  return (
    <fieldset className={`field ${styles.choices}`} aria-describedby={described}>
      <legend className="lb">
        <span>{label}</span>
        {optional && <span className="muted">{t('ui.optional')}</span>}
      </legend>
      {options.map(option => {
        const own = String(option.id)
        const others = chosen.filter(each => each !== own)
        return (
          <label key={own} className="choice">
            <input
              type="checkbox"
              checked={chosen.includes(own)}
              aria-invalid={error ? true : undefined}
              onChange={({ target }) => onChange((target.checked ? [...others, own] : others).join(','))}
            />
            <bdi className="words">{option.label}</bdi>
          </label>
        )
      })}
      <FieldMessages id={id} hint={hint} error={error} />
    </fieldset>
  )
}
