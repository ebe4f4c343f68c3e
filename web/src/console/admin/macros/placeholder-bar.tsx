import { ChevronDown } from 'lucide-react'
import type { RefObject } from 'react'
import { t } from '../../../lib/strings.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import styles from './macros.module.css'
import { placeholders } from './placeholders.ts'

/** Inserts placeholders at the caret; Ctrl Z undoes it. */
export function PlaceholderBar({ textarea }: { textarea: RefObject<HTMLTextAreaElement | null> }) {
  const insert = (name: string) => insertAtCaret(textarea.current, `{{${name}}}`)
  const groups = [
    { label: t('admin.client'), names: placeholders.client },
    { label: t('admin.ticket'), names: placeholders.ticket },
    { label: t('admin.department'), names: placeholders.department },
    { label: t('admin.me'), names: placeholders.me }
  ]
  return (
    <fieldset className={styles.insert}>
      <legend className="visually-hidden">{t('admin.insertPlaceholder')}</legend>
      <span aria-hidden>{t('admin.insert')}</span>
      {groups.map(({ label, names }) =>
        names.length === 1 ? (
          <Button key={label} size="sm" variant="quiet" onClick={() => insert(names[0]![0])}>
            {label}
          </Button>
        ) : (
          <Menu
            key={label}
            items={names.map(([name, key]) => ({ label: t(key), onSelect: () => insert(name) }))}
            trigger={trigger => (
              <button {...trigger} type="button" className={buttonClass('quiet', 'sm')}>
                {label}
                <ChevronDown size={12} aria-hidden />
              </button>
            )}
          />
        )
      )}
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
