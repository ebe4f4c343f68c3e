import { useEffect, useRef } from 'react'
import { post } from '../../app/api-client.ts'
import { useMe } from '../../app/me.ts'
import type { Detail } from './thread-types.ts'
import { updateListedTicket } from './ticket-cache.ts'

/** Marks the shown messages as read while the tab is visible. */
export function useReadMarks(detail: Detail | undefined): void {
  const marked = useRef('')
  const id = detail?.ticket.id
  const number = detail?.ticket.ticket_number
  const message = detail?.last_message_id ?? undefined
  const note = detail?.notes.length ? Math.max(...detail.notes.map(({ id }) => id)) : undefined
  const me = useMe()
  // That it is back from a snooze is then known.
  const isOwn = !detail?.ticket.assignee || detail.ticket.assignee.id === me.id
  const isMerged = detail?.ticket.merged_into_id !== null

  useEffect(() => {
    if (id === undefined || number === undefined || message === undefined || isMerged) return
    const mark = () => {
      const mark = `${id}/${message}/${note}`
      if (document.visibilityState === 'hidden' || marked.current === mark) return
      marked.current = mark
      const body = { id, last_message_id: message, ...(note !== undefined && { last_note_id: note }) }
      post('/api/admin/tickets/read', body).then(
        ({ unread }) => updateListedTicket({ ticket_number: number, unread, ...(isOwn && { woken_at: null }) }),
        // It stays unread, and is marked with the next message.
        () => {}
      )
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [id, number, message, note, isMerged, isOwn])
}
