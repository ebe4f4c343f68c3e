import { History } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { Time } from '../../ui/time.tsx'
import { eventSentence, type Names, statusOfEvent } from './event-sentence.ts'
import styles from './messages.module.css'
import type { TicketEvent } from './thread-types.ts'

const mostInARow = 2

/** The events between two messages: a line for each, or one line with their number. */
export function EventLines({ events, names }: { events: TicketEvent[]; names: Names }) {
  const [isOpen, setOpen] = useState(false)
  const isFolded = events.length > mostInARow && !isOpen
  if (isFolded) {
    return (
      <button type="button" className={`${styles.event} ${styles.eventFold}`} onClick={() => setOpen(true)}>
        <span className={styles.eventGlyph}>
          <History size={14} aria-hidden />
        </span>
        {t('thread.changes', { count: events.length })}
      </button>
    )
  }
  return (
    <ul className={styles.events}>
      {events.map(event => {
        const status = statusOfEvent(event)
        return (
          <li key={event.id} className={styles.event}>
            <span className={styles.eventGlyph}>
              {status ? <StatusIcon status={status} aria-hidden /> : <History size={14} aria-hidden />}
            </span>
            <span>
              <bdi>{eventSentence(event, names)}</bdi> · <Time at={event.created_at} style="short" />
            </span>
          </li>
        )
      })}
    </ul>
  )
}
