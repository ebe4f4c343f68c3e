import { t } from '../lib/strings.ts'
import { Button } from './button.tsx'
import './save-bar.css'
import { useShortcut } from './shortcuts.ts'

/** So many changes are named; the others are counted. */
const namedChanges = 2

interface SaveBarProps {
  /** Each in a few words: "Thursday until 18:30". */
  changes: string[]
  /** "Review and save" */
  saveLabel: string
  /** Another way to save, which stands first: "Save, keep off". */
  second?: { label: string; onClick: () => void } | undefined
  busy?: boolean
  /** Also by Ctrl S. */
  onSave: () => void
  onDiscard: () => void
}

/** The foot of an editor, from the first change on: it names the changes, and saves or discards them. Give it to the page as its `foot`. */
export function SaveBar({ changes, saveLabel, second, busy = false, onSave, onDiscard }: SaveBarProps) {
  useShortcut('Ctrl s', saveLabel, () => busy || onSave(), { group: 'writing' })
  const more = changes.length - namedChanges
  const shown = changes.slice(0, namedChanges).join(', ')
  return (
    <section className="save-bar" aria-label={t('definition.unsavedChanges')}>
      <p className="grow" role="status">
        <b>{t('definition.changesCount', { count: changes.length })}</b>{' '}
        {more > 0 ? t('definition.andMoreChanges', { shown, count: more }) : shown}
      </p>
      <Button variant="quiet" onClick={onDiscard}>
        {t('definition.discard')}
      </Button>
      {second && (
        <Button disabled={busy} onClick={second.onClick}>
          {second.label}
        </Button>
      )}
      <Button variant="primary" busy={busy} onClick={onSave}>
        {saveLabel}
      </Button>
    </section>
  )
}
