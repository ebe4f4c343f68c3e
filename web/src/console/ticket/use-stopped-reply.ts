import { useEffect, useRef } from 'react'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { instantOf } from '../../lib/times.ts'
import { toast } from '../../ui/toast.tsx'
import { followReply, takeBack } from '../waiting-replies.ts'
import { recipientNames } from './recipient-names.ts'
import type { Detail, Message } from './thread-types.ts'

/**
 * Replies of this ticket that wait, also those of another tab or machine, are followed until they go. One that the service has stopped comes back into
 * the composer; if somebody has written meanwhile, `onStopped` is told what came.
 */
export function useStoppedReply(detail: Detail, onStopped: (messages: Message[], lastMessageId: number) => void): void {
  const me = useMe()
  const handled = useRef(new Set<number>())
  useEffect(() => {
    for (const { message_id: messageId, state, undo_until } of detail.waiting_replies) {
      const { id: ticketId, ticket_number: number } = detail.ticket
      const goesAt = instantOf(undo_until).getTime()
      const reply = { messageId, ticketId, number, names: recipientNames(detail), goesAt, account: `staff:${me.id}` }
      if (state === 'waiting') void followReply(reply)
      if (state !== 'stopped' || handled.current.has(messageId)) continue
      handled.current.add(messageId)
      const newer = detail.messages.filter(({ id }) => id > messageId)
      const isOvertaken = newer.some(({ sender_type }) => sender_type === 'customer')
      void takeBack(reply).then(isBack => {
        if (!isBack) return
        if (isOvertaken) onStopped(newer, detail.last_message_id ?? messageId)
        else toast({ text: t('thread.replyStopped'), tone: 'bad' })
      })
    }
  }, [detail, me.id, onStopped])
}
