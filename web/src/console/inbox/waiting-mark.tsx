import { Send } from 'lucide-react'
import { t } from '../../lib/strings.ts'
import { useSecondsLeft, useWaitingReplies } from '../waiting.ts'
import css from './ticket-row.module.css'

/** The own reply to a ticket goes in so many seconds. */
export function WaitingMark({ ticketId }: { ticketId: number }) {
  const reply = useWaitingReplies().find(reply => reply.ticketId === ticketId)
  return reply && <Seconds goesAt={reply.goesAt} />
}

function Seconds({ goesAt }: { goesAt: number }) {
  const seconds = useSecondsLeft(goesAt)
  return (
    <span className={css.waiting}>
      <Send size={12} aria-hidden />
      {t('inbox.goesInSeconds', { seconds })}
    </span>
  )
}
