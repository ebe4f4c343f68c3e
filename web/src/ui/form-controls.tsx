import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { t } from '../lib/strings.ts'
import './form-controls.css'
import type { Icon } from './icon.tsx'

interface ChoiceProps {
  label: ReactNode
  /** Shown below the control; it may also say why the control is disabled. */
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

interface CheckboxProps extends ChoiceProps {
  /** Only some of the items that it represents are chosen. */
  mixed?: boolean
  /** Screen readers read the label, but it is not shown: for a checkbox at the start of a row. */
  hideLabel?: boolean
}

/** For forms that are saved with a button. */
export function Checkbox({ mixed, ...props }: CheckboxProps) {
  return (
    <Choice
      {...props}
      type="checkbox"
      setup={input => {
        if (input) input.indeterminate = Boolean(mixed)
      }}
    />
  )
}

export function Radio(props: Pick<ChoiceProps, 'label' | 'checked' | 'onChange'> & { name: string }) {
  return <Choice {...props} type="radio" />
}

/** Takes effect at once. "Saved" is shown beside it while `saved` is true. */
export function Switch({ label, hint, checked, onChange, disabled, saved }: ChoiceProps & { saved?: boolean }) {
  const id = useId()
  return (
    <span className="switch-row">
      <input
        id={id}
        className="switch"
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={event => onChange(event.target.checked)}
      />
      <span className="words">
        <label htmlFor={id}>{label}</label>
        {hint && <small id={`${id}-hint`}>{hint}</small>}
      </span>
      {saved && <SavedLabel />}
    </span>
  )
}

/** Shown for two seconds beside a control after it has saved. */
export function SavedLabel() {
  return (
    <span className="saved" role="status">
      <Check size={14} aria-hidden />
      {t('ui.saved')}
    </span>
  )
}

interface SegmentedProps<Value extends string> {
  label: string
  options: { value: Value; label: string; icon?: Icon }[]
  value: Value
  onChange: (value: Value) => void
  disabled?: boolean
}

/** A choice among a few visible options. It is a group of native radios, so the arrow keys work. */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onChange,
  disabled
}: SegmentedProps<Value>) {
  const name = useId()
  return (
    <fieldset className="seg" disabled={disabled}>
      <legend className="visually-hidden">{label}</legend>
      {options.map(({ value: own, label: words, icon: Shown }) => (
        <label key={own}>
          <input type="radio" name={name} value={own} checked={own === value} onChange={() => onChange(own)} />
          {Shown && <Shown size={14} aria-hidden />}
          {words}
        </label>
      ))}
    </fieldset>
  )
}

interface InputProps extends Omit<CheckboxProps, 'mixed'> {
  type: 'checkbox' | 'radio'
  name?: string
  setup?: (input: HTMLInputElement | null) => void
}

function Choice(props: InputProps) {
  const { label, hint, checked, onChange, hideLabel, setup, ...input } = props
  const id = useId()
  return (
    <label className="choice">
      <input
        {...input}
        ref={setup}
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={event => onChange(event.target.checked)}
      />
      <span className={hideLabel ? 'visually-hidden' : 'words'}>
        {label}
        {hint && <small id={`${id}-hint`}>{hint}</small>}
      </span>
    </label>
  )
}
