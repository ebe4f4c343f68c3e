import { ChevronDown } from 'lucide-react'
import { type ComponentProps, type RefObject, useRef } from 'react'
import { t } from '../../../lib/strings.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Menu } from '../../../ui/menu.tsx'
import styles from './placeholder-text.module.css'
import { placeholders } from './placeholders.ts'
import type { CustomField } from './use-action-choices.ts'

interface PlaceholderTextProps extends Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'optional' | 'error'> {
  value: string
  rows: number
  readOnly?: boolean
  /** The custom fields that the text may name. */
  fields?: readonly CustomField[] | undefined
  textarea?: RefObject<HTMLTextAreaElement | null>
  onChange: (text: string) => void
}

/** A long text with menus of what can be filled in. */
export function PlaceholderText(props: PlaceholderTextProps) {
  const { value, rows, readOnly = false, fields = [], textarea, onChange, ...frame } = props
  const own = useRef<HTMLTextAreaElement>(null)
  const shown = textarea ?? own
  return (
    <Field {...frame}>
      {({ className: _, ...field }) => (
        <div className={styles.textBox} data-invalid={field['aria-invalid']}>
          {!readOnly && <PlaceholderBar textarea={shown} fields={fields} />}
          <textarea
            {...field}
            ref={shown}
            dir="auto"
            rows={rows}
            maxLength={20_000}
            readOnly={readOnly}
            value={value}
            onChange={event => onChange(event.target.value)}
          />
        </div>
      )}
    </Field>
  )
}

interface PlaceholderBarProps {
  textarea: RefObject<HTMLTextAreaElement | null>
  fields: readonly CustomField[]
}

/** Inserts placeholders at the caret; Ctrl Z undoes it. */
function PlaceholderBar({ textarea, fields }: PlaceholderBarProps) {
  const named = (names: readonly (readonly [string, Parameters<typeof t>[0]])[]) =>
    names.map(([name, key]) => ({ name, label: t(key) }))
  const groups = [
    { label: t('admin.client'), names: named(placeholders.client) },
    { label: t('admin.ticket'), names: named(placeholders.ticket) },
    { label: t('admin.department'), names: named(placeholders.department) },
    { label: t('admin.me'), names: named(placeholders.me) },
    { label: t('actions.hours'), names: named(placeholders.calendar) },
    { label: t('actions.fields'), names: fields.map(({ key, label }) => ({ name: `field.${key}`, label })) }
  ].filter(({ names }) => names.length > 0)
  return (
    <fieldset className={styles.insert}>
      <legend className="visually-hidden">{t('admin.insertPlaceholder')}</legend>
      <span aria-hidden>{t('admin.insert')}</span>
      {groups.map(({ label, names }) => (
        <Menu
          key={label}
          items={names.map(({ name, label }) => ({
            label,
            onSelect: () => insertAtCaret(textarea.current, `{{${name}}}`)
          }))}
          trigger={trigger => (
            <button {...trigger} type="button" className={buttonClass('quiet', 'sm')}>
              {label}
              <ChevronDown size={12} aria-hidden />
            </button>
          )}
        />
      ))}
    </fieldset>
  )
}

function insertAtCaret(textarea: HTMLTextAreaElement | null, text: string): void {
  if (!textarea) return
  textarea.focus()
  // Deprecated, but the only way to insert a text that Ctrl Z undoes.
  if (document.execCommand('insertText', false, text)) return
  textarea.setRangeText(text, textarea.selectionStart, textarea.selectionEnd, 'end')
  textarea.dispatchEvent(new Event('input', { bubbles: true }))
}
