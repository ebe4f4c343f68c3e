import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { announce } from '../../ui/announce.ts'
import { dismissToast } from '../../ui/toast.tsx'
import styles from './stop-panel.module.css'

interface StopPanelProps {
  title: string
  text: string
  /** One primary button, and quiet ones. */
  actions: ReactNode
  /** What Esc does. */
  onLeave(): void
  children?: ReactNode
}

/** Over the composer: why something was not done, and how to go on. It is not modal, so that the thread can be read. */
export function StopPanel({ title, text, actions, onLeave, children }: StopPanelProps) {
  const id = useId()
  const panel = useRef<HTMLElement>(null)

  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('input, select, button')?.focus()
    announce(title, 'assertive')
    // It would lie over the buttons.
    dismissToast()
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
        onLeave()
      }}
    >
      <TriangleAlert size={20} aria-hidden className={styles.icon} />
      <div>
        <h2 id={`${id}-title`} className={styles.title}>
          {title}
        </h2>
        <p id={`${id}-text`} className={styles.text}>
          {text}
        </p>
        {children}
        <div className={styles.actions}>{actions}</div>
      </div>
    </section>
  )
}
