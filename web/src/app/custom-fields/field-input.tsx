import { useId } from 'react'
import { t } from '../../lib/strings.ts'
import { FieldMessages, SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { Checkbox } from '../../ui/form-controls.tsx'
import { type CustomField, type FieldValue, optionsToChoose, typedNumber } from './custom-field.ts'
import styles from './field-input.module.css'

interface FieldInputProps {
  field: CustomField
  /** Numbers are as they are typed. */
  value: FieldValue | undefined
  error?: string | undefined
  optional?: boolean
  /** `undefined`: it has no value. */
  onChange(value: FieldValue | undefined): void
}

/** A custom field in a form: an input for each of its kinds. */
export function FieldInput({ field, value, error, optional = false, onChange }: FieldInputProps) {
  const { label, kind, hint } = field
  const frame = { label, optional, ...(hint && { hint }), ...(error && { error }) }
  const text = value === undefined ? '' : String(value)
  const set = (typed: string) => onChange(typed || undefined)
  switch (kind) {
    case 'text':
      return <TextField {...frame} dir="auto" maxLength={255} autoComplete="off" value={text} onChange={set} />
    case 'long_text':
      return <TextArea {...frame} rows={4} maxLength={10_000} value={text} onChange={set} />
    case 'number':
      return (
        <TextField
          {...frame}
          inputMode="decimal"
          maxLength={20}
          autoComplete="off"
          value={text}
          onChange={typed => set(typedNumber(typed))}
        />
      )
    case 'date':
      return <TextField {...frame} type="date" value={text} onChange={set} />
    case 'checkbox':
      // Unset is neither.
      return (
        <SelectField
          {...frame}
          options={[
            { value: '', label: t('ui.choose') },
            { value: '1', label: t('ui.yes') },
            { value: '0', label: t('ui.no') }
          ]}
          value={value === undefined ? '' : value ? '1' : '0'}
          onChange={chosen => onChange(chosen === '' ? undefined : chosen === '1')}
        />
      )
    case 'select': {
      const options = optionsToChoose(field, value).map(({ id, label }) => ({ value: String(id), label }))
      return (
        <SelectField
          {...frame}
          options={[{ value: '', label: t('ui.choose') }, ...options]}
          value={text}
          onChange={id => onChange(id === '' ? undefined : Number(id))}
        />
      )
    }
    case 'multi_select':
      return <Choices field={field} value={value} error={error} optional={optional} onChange={onChange} />
  }
}

/** Some of a list: a checkbox for each. */
function Choices({ field, value, error, optional, onChange }: FieldInputProps) {
  const id = useId()
  const chosen: readonly number[] = Array.isArray(value) ? value : []
  const choose = (option: number, isOn: boolean) => {
    const next = isOn ? [...chosen, option] : chosen.filter(other => other !== option)
    onChange(next.length > 0 ? next : undefined)
  }
  return (
    <fieldset className="field" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="lb">
        {field.label} {optional && <span className="muted">{t('ui.optional')}</span>}
      </legend>
      <div className={styles.options}>
        {optionsToChoose(field, value).map(option => (
          <Checkbox
            key={option.id}
            label={option.label}
            checked={chosen.includes(option.id)}
            onChange={isOn => choose(option.id, isOn)}
          />
        ))}
      </div>
      <FieldMessages id={id} hint={field.hint} error={error} />
    </fieldset>
  )
}
