import type { Presence } from '@deskline/client'
import { useCallback, useEffect, useRef } from 'react'
import { post } from '../../app/api-client.ts'
import { onStreamOpened, presenceAt, usePresenceAt } from '../../app/event-stream.ts'
import { useMe } from '../../app/me.ts'
import type { MessageKind } from './send-message.ts'

/** The service forgets a presence after half a minute. */
const heartbeatMilliseconds = 12_000
const typingMilliseconds = 20_000

/**
 * Sends the presence at this ticket while it is shown: `replying` while a reply is typed, else `viewing`. Returns the others at the ticket, and a
 * function to call at each key of the reply. Nothing is sent before `isShown`.
 */
export function useTicketPresence(ticketId: number, isShown: boolean, kind: MessageKind) {
  const me = useMe()
  const here = usePresenceAt(ticketId)
  const typedAt = useRef(0)
  const said = useRef<State | undefined>(undefined)

  useEffect(() => {
    if (!isShown) return
    typedAt.current = 0
    said.current = undefined
    const say = () => {
      const isTyping = typedAt.current > 0 && performance.now() - typedAt.current < typingMilliseconds
      sendPresence(ticketId, document.hidden ? 'away' : isTyping ? 'replying' : 'viewing', said)
    }
    say()
    const timer = setInterval(() => {
      // This person replies in another window, which says so itself.
      const isReplyingElsewhere = said.current === 'viewing' && stateOf(me.id, presenceAt(ticketId)) === 'replying'
      if (!isReplyingElsewhere) say()
    }, heartbeatMilliseconds)
    const leave = () => sendPresence(ticketId, 'away', said)
    document.addEventListener('visibilitychange', say)
    addEventListener('pagehide', leave)
    // The service removes the presence of a person when their last stream ends.
    const stopListening = onStreamOpened(say)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', say)
      removeEventListener('pagehide', leave)
      stopListening()
      leave()
    }
  }, [ticketId, isShown, me.id])

  useEffect(() => {
    const isHere = said.current !== undefined && said.current !== 'away' && !document.hidden
    // Another window of this person has left the ticket.
    if (isHere && !stateOf(me.id, here)) sendPresence(ticketId, said.current!, said)
  }, [here, ticketId, me.id])

  useEffect(() => {
    if (kind === 'reply') return
    // Somebody who writes a note is no longer replying.
    typedAt.current = 0
    if (said.current === 'replying') sendPresence(ticketId, 'viewing', said)
  }, [ticketId, kind])

  const sayReplying = useCallback(() => {
    typedAt.current = performance.now()
    if (said.current !== 'replying') sendPresence(ticketId, 'replying', said)
  }, [ticketId])
  return { sayReplying, others: here?.filter(({ id }) => id !== me.id) ?? [] }
}

export type PresentColleague = Presence['staff'][number]

type State = PresentColleague['state'] | 'away'

function stateOf(id: number, staff: PresentColleague[] | undefined): PresentColleague['state'] | undefined {
  return staff?.find(member => member.id === id)?.state
}

/** Sends the presence. "away" is sent only once; the service forgets the others by itself. */
function sendPresence(id: number, state: State, lastSent: { current: State | undefined }): void {
  if (state === 'away' && lastSent.current === 'away') return
  lastSent.current = state
  // Presence is not important enough for an error message.
  post('/api/admin/tickets/presence', { id, state }).catch(() => {})
}
