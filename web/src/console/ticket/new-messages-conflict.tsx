import { TriangleAlert } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import styles from './new-messages-conflict.module.css'
import type { Message } from './thread-types.ts'

interface NewMessagesConflictProps {
  messages: Message[]
  /** Continues writing; the new messages then count as seen. */
  onChange(): void
  onForce(): void
}

/** Shown if a reply was not sent because others had written meanwhile. It is not modal, so that their messages can be read. */
export function NewMessagesConflict({ messages, onChange, onForce }: NewMessagesConflictProps) {
  const id = useId()
  const panel = useRef<HTMLElement>(null)
  const names = [...new Set(messages.map(({ first_name }) => first_name))]
  const title = t('thread.stoppedTitle', { names: names.join(', '), count: names.length })

  useEffect(() => {
    panel.current?.querySelector('button')?.focus()
    announce(title, 'assertive')
  }, [title])

  return (
    <section
      ref={panel}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className={styles.panel}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        // Otherwise the same Esc would also lead back to the list.
        event.stopPropagation()
        onChange()
      }}
    >
      <TriangleAlert size={20} aria-hidden className={styles.icon} />
      <div>
        <h2 id={`${id}-title`} className={styles.title}>
          {title}
        </h2>
        <p id={`${id}-text`} className={styles.text}>
          {t('thread.stoppedText', { count: messages.length })}
        </p>
        <div className={styles.actions}>
          <Button variant="primary" onClick={onChange}>
            {t('thread.changeReply')}
          </Button>
          <Button onClick={onForce}>{t('thread.sendAnyway')}</Button>
        </div>
      </div>
    </section>
  )
}
