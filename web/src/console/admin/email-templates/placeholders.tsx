import type { RefObject } from 'react'
import { t } from '../../../lib/strings.ts'
import styles from './email-templates.module.css'
import { conditionDescription, type EmailTemplate, placeholderDescription } from './template-texts.ts'

interface PlaceholdersProps {
  template: EmailTemplate
  /** The form with the fields for subject and text. Placeholders are inserted into the text. */
  box: RefObject<HTMLDivElement | null>
}

/** The placeholders of this e-mail, each a button that inserts it. */
export function Placeholders({ template, box }: PlaceholdersProps) {
  const { placeholders, conditions } = template
  return (
    <section className={styles.known} aria-label={t('admin.template.placeholders')}>
      <h2>{t('admin.template.placeholders')}</h2>
      <ul>
        {placeholders.map(placeholder => (
          <li key={placeholder.name}>
            <button type="button" onClick={() => insert(box.current, `{{${placeholder.name}}}`)}>
              <code>{`{{${placeholder.name}}}`}</code>
            </button>
            <span>
              {placeholderDescription(placeholder)}
              {placeholder.is_required === 1 && ` · ${t('admin.template.isRequired')}`}
              {placeholder.is_required_in_subject === 1 && ` · ${t('admin.template.isRequiredInSubject')}`}
            </span>
          </li>
        ))}
      </ul>
      {conditions.length > 0 && (
        <>
          <h2>{t('admin.template.conditions')}</h2>
          <ul>
            {conditions.map(condition => (
              <li key={condition.name}>
                <button
                  type="button"
                  onClick={() => insert(box.current, `{{#${condition.name}}}…{{/${condition.name}}}`)}
                >
                  <code>{`{{#${condition.name}}}`}</code>
                </button>
                <span>{conditionDescription(condition)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function insert(box: HTMLDivElement | null, text: string): void {
  const field = box?.querySelector<HTMLTextAreaElement>('textarea')
  if (!field) return
  field.focus()
  // Deprecated, but the only way to insert a text that Ctrl Z undoes.
  if (document.execCommand('insertText', false, text)) return
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
