import { CornerDownRight, X } from 'lucide-react'
import { useId, useState } from 'react'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { instantOf, timeInText } from '../../lib/times.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import styles from './draft-panel.module.css'
import type { Detail } from './thread-types.ts'

type BegunReply = Detail['drafts'][number]

interface DraftPanelProps {
  /** Of colleagues, the newest first. */
  drafts: readonly BegunReply[]
  onTakeOver(staffId: number, shown: string): void
}

/** Over the composer: that colleagues have begun a reply, with their text where the desk shares it. */
export function DraftPanel({ drafts, onTakeOver }: DraftPanelProps) {
  const [closed, setClosed] = useState<readonly string[]>([])
  const shown = drafts.filter(draft => !closed.includes(keyOf(draft)))
  return shown.map(draft => (
    <BegunDraft
      key={draft.by.id}
      draft={draft}
      onTakeOver={onTakeOver}
      onClose={() => setClosed([...closed, keyOf(draft)])}
    />
  ))
}

function BegunDraft({
  draft: { by, updated_at, message },
  onTakeOver,
  onClose
}: {
  draft: BegunReply
  onTakeOver: DraftPanelProps['onTakeOver']
  onClose(): void
}) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-labelledby={id} className={styles.panel} data-draft-of={by.id}>
      <div className={styles.head}>
        <Avatar person={{ id: by.id, name: nameOf(by), kind: 'staff' }} size={22} />
        <h2 id={id}>{t('thread.begunBy', { name: by.first_name, time: timeInText(instantOf(updated_at)) })}</h2>
        {message !== undefined && (
          <Button size="sm" variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t(isOpen ? 'thread.hideDraft' : 'thread.showDraft')}
          </Button>
        )}
        <IconButton icon={X} label={t('thread.closeDraft')} onClick={onClose} />
      </div>
      {isOpen && message !== undefined && (
        <>
          <blockquote dir="auto" className={styles.text}>
            {message}
          </blockquote>
          <div className={styles.acts}>
            <Button size="sm" icon={CornerDownRight} onClick={() => onTakeOver(by.id, message)}>
              {t('thread.takeOver')}
            </Button>
            <span>{t('thread.keepsDraft', { name: by.first_name })}</span>
          </div>
        </>
      )}
    </section>
  )
}

/** Closed, it comes back with the next change. */
function keyOf({ by, updated_at }: BegunReply): string {
  return `${by.id} ${updated_at}`
}
