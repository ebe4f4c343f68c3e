import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { t } from '../lib/strings.ts'
import './form-controls.css'
import type { Icon } from './icon.tsx'

interface ChoiceProps {
  label: ReactNode
  /** A line below, also for why it cannot be changed. */
  hint?: ReactNode
  checked: boolean
  onChange?: ((checked: boolean) => void) | undefined
  disabled?: boolean
  name?: string
  value?: string
  /** The label is read but not shown: a checkbox at the start of a row. */
  hideLabel?: boolean
}

/** Part of a form that is saved with a button; `mixed`: some of what it stands for. */
export function Checkbox({ mixed, ...props }: ChoiceProps & { mixed?: boolean }) {
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

export function Radio(props: ChoiceProps & { name: string }) {
  return <Choice {...props} type="radio" />
}

/** Acts at once; "Saved" stands beside it while `saved` is true. */
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
        onChange={event => onChange?.(event.target.checked)}
      />
      <span className="words">
        <label htmlFor={id}>{label}</label>
        {hint && <small id={`${id}-hint`}>{hint}</small>}
      </span>
      {saved && <SavedLabel />}
    </span>
  )
}

/** Stands for two seconds beside what was saved. */
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

/** One of a few, all of them in sight: a group of native radios, so that arrows move in it. */
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

function Choice(props: ChoiceProps & { type: 'checkbox' | 'radio'; setup?: (input: HTMLInputElement | null) => void }) {
  const { label, hint, checked, onChange, hideLabel, setup, ...input } = props
  const id = useId()
  return (
    <label className="choice">
      <input
        {...input}
        ref={setup}
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={event => onChange?.(event.target.checked)}
      />
      <span className={hideLabel ? 'visually-hidden' : 'words'}>
        {label}
        {hint && <small id={`${id}-hint`}>{hint}</small>}
      </span>
    </label>
  )
}
