import { t } from '../../../lib/strings.ts'
import { Operator, Part } from '../../../ui/part.tsx'
import { Picker } from '../../../ui/picker.tsx'
import { fieldLabel, fieldOf, fieldValueText, namesGone } from './action-words.ts'
import styles from './actions.module.css'
import type { EditedAction } from './edited-actions.ts'
import type { ActionChoices, CustomField } from './use-action-choices.ts'

type Value = Extract<EditedAction, { kind: 'set_field' }>['value']

interface ActionFieldValueProps {
  value: Value
  choices: ActionChoices
  onChange: (value: Value) => void
}

/** "[Product] to [Inverter]" */
export function ActionFieldValue({ value, choices, onChange }: ActionFieldValueProps) {
  const field = fieldOf(value.key, choices)
  return (
    <>
      <Picker
        label={t('actions.chooseField')}
        items={(choices.fields ?? []).map(({ key, label }) => ({ id: key, label }))}
        selected={value.key}
        trigger={trigger => (
          <Part
            {...trigger}
            aria-invalid={value.key === '' || undefined}
            className={namesGone({ kind: 'set_field', value }, choices) ? styles.gonePart : undefined}
          >
            {fieldLabel(value.key, choices)}
          </Part>
        )}
        onChange={key => key !== value.key && onChange({ key, value: undefined })}
      />
      {field && (
        <Picker
          label={t('actions.setOrClear')}
          items={[
            { id: 'to', label: t('actions.to') },
            { id: 'clear', label: t('actions.toNothing') }
          ]}
          selected={value.value === null ? 'clear' : 'to'}
          trigger={trigger => (
            <Operator {...trigger}>{t(value.value === null ? 'actions.toNothing' : 'actions.to')}</Operator>
          )}
          onChange={id => onChange({ ...value, value: id === 'clear' ? null : undefined })}
        />
      )}
      {field && value.value !== null && (
        <FieldInput field={field} value={value.value} onChange={next => onChange({ ...value, value: next })} />
      )}
    </>
  )
}

interface FieldInputProps {
  field: CustomField
  value: Value['value']
  onChange: (value: Value['value']) => void
}

/** The value of a custom field, by its kind. */
function FieldInput({ field, value, onChange }: FieldInputProps) {
  const label = t('actions.valueOf', { field: field.label })
  const part = {
    'aria-label': `${label}: ${fieldValueText(field, value)}`,
    'aria-invalid': isEmpty(value) || undefined
  }
  const options = field.options
    .filter(option => !option.is_archived)
    .map(option => ({ id: option.id, label: option.label }))
  switch (field.kind) {
    case 'select':
      return (
        <Picker
          label={label}
          items={options}
          selected={value as number | undefined}
          trigger={trigger => (
            <Part {...trigger} {...part}>
              {fieldValueText(field, value)}
            </Part>
          )}
          onChange={onChange}
        />
      )
    case 'multi_select':
      return (
        <Picker
          multiple
          label={label}
          items={options}
          selected={(value as number[] | undefined) ?? []}
          trigger={trigger => (
            <Part {...trigger} {...part}>
              {fieldValueText(field, value)}
            </Part>
          )}
          onChange={ids => onChange(ids.length === 0 ? undefined : ids)}
        />
      )
    case 'checkbox':
      return (
        <Picker
          label={label}
          items={[
            { id: 1, label: t('actions.yes') },
            { id: 0, label: t('actions.no') }
          ]}
          selected={value === undefined ? undefined : Number(value)}
          trigger={trigger => (
            <Part {...trigger} {...part}>
              {fieldValueText(field, value)}
            </Part>
          )}
          onChange={id => onChange(id === 1)}
        />
      )
    default: {
      const isNumber = field.kind === 'number'
      return (
        <input
          className="part"
          type={isNumber ? 'number' : field.kind === 'date' ? 'date' : 'text'}
          {...(isNumber && { step: 'any' })}
          maxLength={field.kind === 'long_text' ? 20_000 : 1000}
          autoComplete="off"
          aria-label={label}
          aria-invalid={isEmpty(value) || undefined}
          value={value === undefined ? '' : String(value)}
          onChange={({ target }) =>
            onChange(target.value === '' ? undefined : isNumber ? target.valueAsNumber : target.value)
          }
        />
      )
    }
  }
}

function isEmpty(value: Value['value']): boolean {
  return value === undefined || value === ''
}
