import { Check, CircleAlert, X } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type FieldValue, fieldValueText, optionsToChoose, typedNumber } from '../../app/custom-fields/custom-field.ts'
import { t } from '../../lib/strings.ts'
import { Picker } from '../../ui/picker.tsx'
import styles from './custom-fields.module.css'
import properties from './properties.module.css'
import type { Field } from './ticket-fields.ts'

interface EditorProps {
  field: Field
  value: FieldValue | undefined
  /** Closing needs it, and it has no value. */
  isNeeded?: boolean | undefined
  /** `null` clears it. */
  onSet(value: FieldValue | null): void
}

/** The value of a field, which is edited where it stands: by a picker, by typing, or by a press. */
export function FieldEditor(props: EditorProps) {
  switch (props.field.kind) {
    case 'select':
      return <OneOf {...props} />
    case 'multi_select':
      return <SomeOf {...props} />
    case 'checkbox':
      return <YesOrNo {...props} />
    default:
      return <Typed {...props} />
  }
}

/** No option has this id. */
const none = 0

function OneOf({ field, value, isNeeded, onSet }: EditorProps) {
  const options = optionsToChoose(field, value).map(({ id, label }) => ({ id, label }))
  return (
    <Picker
      label={field.label}
      trigger={trigger => (
        <ValueButton field={field} isEmpty={value === undefined} isNeeded={isNeeded} {...trigger}>
          {value !== undefined && fieldValueText(field, value)}
        </ValueButton>
      )}
      items={value === undefined ? options : [...options, { id: none, label: t('thread.fieldNone') }]}
      selected={value as number | undefined}
      onChange={id => id !== value && onSet(id === none ? null : id)}
    />
  )
}

function SomeOf({ field, value, isNeeded, onSet }: EditorProps) {
  const chosen = Array.isArray(value) ? value : []
  return (
    <Picker
      multiple
      label={field.label}
      trigger={trigger => (
        <ValueButton field={field} isEmpty={value === undefined} isNeeded={isNeeded} {...trigger}>
          {chosen.length > 0 && fieldValueText(field, chosen)}
        </ValueButton>
      )}
      items={optionsToChoose(field, value).map(({ id, label }) => ({ id, label }))}
      selected={chosen}
      onChange={ids => onSet(ids.length > 0 ? ids : null)}
    />
  )
}

function YesOrNo({ field, value, isNeeded, onSet }: EditorProps) {
  return (
    <ValueButton field={field} isEmpty={value === undefined} isNeeded={isNeeded} onClick={() => onSet(value !== true)}>
      {value !== undefined && (
        <>
          {value ? <Check size={14} className={styles.yes} aria-hidden /> : <X size={14} aria-hidden />}
          {fieldValueText(field, value)}
        </>
      )}
    </ValueButton>
  )
}

/** Enter saves and Esc returns; in several lines Ctrl and Enter save. */
function Typed({ field, value, isNeeded, onSet }: EditorProps) {
  const { kind, label } = field
  const [typed, setTyped] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const isEditing = typed !== undefined
  const former = value === undefined ? '' : String(value)
  const isUnfit = isEditing && kind === 'number' && !isNumber(typed)

  useEffect(() => {
    if (isEditing) input.current?.focus()
  }, [isEditing])

  function leave() {
    setTyped(undefined)
    // The button takes the place of the input, unless somebody is elsewhere already.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) button.current?.focus()
    })
  }

  function save() {
    if (typed === undefined || isUnfit) return
    const wanted = typed.trim()
    setTyped(undefined)
    if (wanted === former) return
    if (wanted === '') onSet(null)
    else onSet(kind === 'number' ? Number(typedNumber(wanted)) : kind === 'long_text' ? typed : wanted)
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      // Otherwise the same Esc would also leave the ticket.
      event.stopPropagation()
      leave()
    } else if (event.key === 'Enter' && (kind !== 'long_text' || event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      if (isUnfit) return
      save()
      leave()
    }
  }

  if (!isEditing)
    return (
      <ValueButton
        ref={button}
        field={field}
        isEmpty={value === undefined}
        isNeeded={isNeeded}
        onClick={() => setTyped(former)}
      >
        {value !== undefined && fieldValueText(field, value)}
      </ValueButton>
    )
  const shared = {
    ref: input,
    className: `input ${styles.input}`,
    'aria-label': label,
    'aria-invalid': isUnfit || undefined,
    title: isUnfit ? t('thread.fieldNoNumber') : undefined,
    value: typed,
    onChange: (event: { target: { value: string } }) => setTyped(event.target.value),
    onKeyDown: press,
    onBlur: save
  }
  if (kind === 'long_text') return <textarea {...shared} rows={4} maxLength={10_000} dir="auto" />
  return (
    <input
      {...shared}
      type={kind === 'date' ? 'date' : 'text'}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      max={kind === 'date' ? '9999-12-31' : undefined}
      maxLength={kind === 'number' ? 20 : 255}
      autoComplete="off"
      dir="auto"
    />
  )
}

/** As the service takes them. */
function isNumber(typed: string): boolean {
  const plain = typedNumber(typed)
  return plain === '' || /^-?\d{1,14}(\.\d{1,4})?$/.test(plain)
}

interface ValueButtonProps extends ComponentProps<'button'> {
  field: Field
  isEmpty: boolean
  isNeeded: boolean | undefined
}

function ValueButton({ field, isEmpty, isNeeded, children, ...button }: ValueButtonProps) {
  return (
    <button
      {...button}
      type="button"
      className={properties.value}
      data-property={isEmpty ? 'empty-field' : `field-${field.id}`}
    >
      <span className="visually-hidden">{field.label}: </span>
      {isEmpty ? <EmptyText isNeeded={isNeeded === true} /> : <bdi className={styles.value}>{children}</bdi>}
    </button>
  )
}

function EmptyText({ isNeeded }: { isNeeded: boolean }) {
  if (!isNeeded) return <span className={properties.none}>{t('thread.setField')}</span>
  return (
    <span className={styles.needed}>
      <CircleAlert size={14} aria-hidden />
      {t('thread.neededToClose')}
    </span>
  )
}
