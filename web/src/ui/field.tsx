import { ChevronDown, Eye, EyeOff, Lock, TriangleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { t } from '../lib/strings.ts'
import { IconButton } from './button.tsx'
import './field.css'

export interface FieldFrame {
  label: ReactNode
  hint?: ReactNode
  /** The error message. */
  error?: ReactNode
  /** Required is the rule and unmarked. */
  optional?: boolean
  /** Why it cannot be changed. */
  disabledReason?: string | undefined
  /** Stands at the end of the label's line: a link. */
  aside?: ReactNode
  className?: string
}

/** The props that connect an input with its label and messages: spread them on the input. */
export interface FieldInputProps {
  id: string
  className: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  disabled: true | undefined
}

/** A label above, the input, then its hint and its error. */
export function Field({ children, ...frame }: FieldFrame & { children: (props: FieldInputProps) => ReactNode }) {
  const { label, hint, error, optional, disabledReason, aside, className } = frame
  const id = useId()
  const described = [disabledReason && `${id}-why`, hint && `${id}-hint`, error && `${id}-error`].filter(Boolean)
  return (
    <div className={className ? `field ${className}` : 'field'}>
      <div className="lb">
        <label htmlFor={id}>{label}</label>
        {optional && <span className="muted">{t('ui.optional')}</span>}
        {aside && <span className="aside">{aside}</span>}
      </div>
      {children({
        id,
        className: 'input',
        'aria-describedby': described.join(' ') || undefined,
        'aria-invalid': error ? true : undefined,
        disabled: disabledReason ? true : undefined
      })}
      {disabledReason && (
        <p className="hint why" id={`${id}-why`}>
          <Lock size={14} aria-hidden />
          {disabledReason}
        </p>
      )}
      <FieldMessages id={id} hint={hint} error={error} />
    </div>
  )
}

/** The hint and the error below an input, which names them by `<id>-hint` and `<id>-error`. */
export function FieldMessages({ id, hint, error }: Pick<FieldFrame, 'hint' | 'error'> & { id: string }) {
  return (
    <>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          <TriangleAlert size={14} aria-hidden />
          <span>{error}</span>
        </p>
      )}
    </>
  )
}

type Own<Element extends 'input' | 'textarea' | 'select'> = FieldFrame &
  Omit<ComponentProps<Element>, 'value' | 'onChange' | 'className' | 'disabled'> & {
    value?: string
    onChange?: (value: string) => void
  }

export function TextField(props: Own<'input'>) {
  const [frame, { onChange, ...input }] = parted(props)
  return (
    <Field {...frame}>
      {field => <input type="text" {...input} {...field} onChange={event => onChange?.(event.target.value)} />}
    </Field>
  )
}

export function TextArea(props: Own<'textarea'>) {
  const [frame, { onChange, ...input }] = parted(props)
  return (
    <Field {...frame}>
      {field => <textarea dir="auto" {...input} {...field} onChange={event => onChange?.(event.target.value)} />}
    </Field>
  )
}

export interface Option {
  value: string
  label: string
  disabled?: boolean
}

export function SelectField({ options, ...props }: Own<'select'> & { options: Option[] }) {
  const [frame, { onChange, ...input }] = parted(props)
  return (
    <Field {...frame}>
      {field => (
        <span className="select-box">
          <select {...input} {...field} onChange={event => onChange?.(event.target.value)}>
            {options.map(option => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown size={16} aria-hidden />
        </span>
      )}
    </Field>
  )
}

/** A password that can be looked at while it is typed. */
export function PasswordField(props: Own<'input'>) {
  const [isShown, setIsShown] = useState(false)
  const [frame, { onChange, ...input }] = parted(props)
  return (
    <Field {...frame}>
      {field => (
        <span className="password-box">
          <input
            autoComplete="current-password"
            autoCapitalize="off"
            spellCheck={false}
            {...input}
            {...field}
            type={isShown ? 'text' : 'password'}
            onChange={event => onChange?.(event.target.value)}
          />
          <IconButton
            icon={isShown ? EyeOff : Eye}
            label={isShown ? t('ui.hidePassword') : t('ui.showPassword')}
            onClick={() => setIsShown(!isShown)}
          />
        </span>
      )}
    </Field>
  )
}

function parted<Props extends FieldFrame>(props: Props): [FieldFrame, Omit<Props, keyof FieldFrame>] {
  const { label, hint, error, optional, disabledReason, aside, className, ...input } = props
  return [{ label, hint, error, optional, disabledReason, aside, className } as FieldFrame, input]
}
