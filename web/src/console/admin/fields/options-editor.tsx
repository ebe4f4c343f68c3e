import { type ClipboardEvent, useId, useState } from 'react'
import { t } from '../../../lib/strings.ts'
import { Badge } from '../../../ui/badge.tsx'
import { FieldMessages } from '../../../ui/field.tsx'
import { OrderedRows } from '../ordered-rows.tsx'
import styles from './fields.module.css'
import { maxOptions } from './fields.ts'

/** New options have negative ids. */
export interface EditedOption {
  id: number
  label: string
  is_archived: 0 | 1
}

interface OptionsEditorProps {
  options: EditedOption[]
  error: string | undefined
  onChange: (options: EditedOption[]) => void
}

/** The choices of a select in their order. Saved ones are archived, never removed: tickets may have them. */
export function OptionsEditor({ options, error, onChange }: OptionsEditorProps) {
  const id = useId()
  const [typed, setTyped] = useState('')

  function add(text: string) {
    const lines = text.split(/\r?\n/).map(line => line.trim().slice(0, 100))
    const known = new Set(options.filter(({ is_archived }) => !is_archived).map(({ label }) => label.toLowerCase()))
    const added = [...new Set(lines)].filter(line => line !== '' && !known.has(line.toLowerCase()))
    const next = Math.min(0, ...options.map(({ id }) => id)) - 1
    const room = maxOptions - options.length
    const fresh = added.slice(0, room).map((label, at) => ({ id: next - at, label, is_archived: 0 as const }))
    onChange([...options, ...fresh])
    setTyped('')
  }

  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text/plain')
    if (!text.includes('\n')) return
    event.preventDefault()
    add(typed + text)
  }

  const change = (changed: EditedOption) =>
    onChange(options.map(option => (option.id === changed.id ? changed : option)))

  return (
    <div className="field">
      <p className="lb">
        {t('fields-admin.choices')}{' '}
        <span className="muted">{t('fields-admin.choicesOf', { count: options.length, most: maxOptions })}</span>
      </p>
      <div className={styles.options}>
        <OrderedRows
          label={t('fields-admin.choices')}
          rows={options.map(option => ({ ...option, name: option.label }))}
          isDraft
          isOff={({ is_archived }) => is_archived === 1}
          menu={option => [
            option.id < 0
              ? {
                  label: t('fields-admin.removeChoice'),
                  danger: true,
                  onSelect: () => onChange(options.filter(({ id }) => id !== option.id))
                }
              : {
                  label: t(option.is_archived ? 'definition.unarchive' : 'definition.archive'),
                  onSelect: () => change({ ...option, is_archived: option.is_archived ? 0 : 1 })
                }
          ]}
          onReorder={async ids => onChange(ids.map(id => options.find(option => option.id === id)!))}
        >
          {option => (
            <span className="row-x">
              <input
                className={styles.option}
                aria-label={t('fields-admin.choiceNamed', { name: option.label })}
                aria-invalid={error && option.label.trim() === '' ? true : undefined}
                maxLength={100}
                autoComplete="off"
                value={option.label}
                onChange={event => change({ ...option, label: event.target.value })}
              />
              {option.is_archived === 1 && <Badge>{t('definition.archived')}</Badge>}
            </span>
          )}
        </OrderedRows>
        {options.length < maxOptions && (
          <input
            className={styles.newOption}
            aria-label={t('fields-admin.addChoice')}
            aria-describedby={error ? `${id}-error` : undefined}
            aria-invalid={error ? true : undefined}
            placeholder={t('fields-admin.addChoice')}
            maxLength={100}
            autoComplete="off"
            value={typed}
            onChange={event => setTyped(event.target.value)}
            onPaste={paste}
            onKeyDown={event => {
              if (event.key !== 'Enter') return
              // It adds the choice, and does not save the field.
              event.preventDefault()
              add(typed)
            }}
            onBlur={() => typed.trim() && add(typed)}
          />
        )}
      </div>
      <FieldMessages id={id} error={error} />
    </div>
  )
}
