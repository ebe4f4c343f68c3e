import { Inbox, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import css from '../inbox/bulk-bar.module.css'
import styles from './held-mail.module.css'
import { discard, releaseAll } from './held-mail-actions.ts'
import type { HeldSelection } from './use-held-selection.ts'

/** The actions on the selected e-mails, docked under the list. */
export function HeldBulkBar({ selection: { ids, set } }: { selection: HeldSelection }) {
  const [isAsking, setIsAsking] = useState(false)
  const [progress, setProgress] = useState<number>()
  const count = ids.size
  const isBusy = progress !== undefined
  useShortcut('Escape', t('held.clearChoice'), () => set([]), { when: count > 0 && !isBusy, group: 'list' })
  // While it runs, released e-mails leave the list.
  const [total, setTotal] = useState(0)
  if (count === 0 && !isBusy) return null

  async function release() {
    const chosen = [...ids]
    setIsAsking(false)
    setTotal(chosen.length)
    setProgress(0)
    const { left } = await releaseAll(chosen, setProgress)
    setProgress(undefined)
    set(left)
  }

  async function discardAll() {
    setTotal(count)
    setProgress(0)
    await discard([...ids])
    setProgress(undefined)
    set([])
  }

  return (
    <div className={styles.bulk}>
      <div className={css.bar} role="toolbar" aria-label={t('held.chosenMails')}>
        {isBusy ? (
          <span className={css.progress}>
            <progress value={progress} max={total} aria-label={t('held.deciding')} />
            <span>{t('held.dealtWith', { done: progress, count: total })}</span>
          </span>
        ) : (
          <>
            <b className={css.count}>{t('held.chosen', { count })}</b>
            <Button size="sm" variant="quiet" icon={Inbox} onClick={() => setIsAsking(true)}>
              <span className={css.label}>{t('held.releaseAll')}</span>
            </Button>
            <Button size="sm" variant="quiet" className={css.danger!} icon={Trash2} onClick={() => void discardAll()}>
              <span className={css.label}>{t('held.discard')}</span>
            </Button>
            <span className={css.space} />
            <Button size="sm" variant="quiet" onClick={() => set([])}>
              {t('held.clearChoice')}
              <span className={css.key}>
                <Kbd keys="Esc" />
              </span>
            </Button>
          </>
        )}
      </div>
      <ConfirmDialog
        open={isAsking}
        tone="primary"
        title={t('held.releaseAllTitle', { count })}
        text={t('held.releaseAllMeans')}
        confirmLabel={t('held.release')}
        keepLabel={t('held.keep')}
        onClose={() => setIsAsking(false)}
        onConfirm={() => void release()}
      />
    </div>
  )
}
