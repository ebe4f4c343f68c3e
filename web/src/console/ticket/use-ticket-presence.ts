import type { Presence } from '@deskline/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { apiClient } from '../../app/api-client.ts'
import { useLiveEvents } from '../../app/event-stream.ts'
import { useMe } from '../../app/me.ts'
import type { MessageKind } from './send-message.ts'

/** The service forgets a presence after half a minute. */
const heartbeatMilliseconds = 12_000
const typingMilliseconds = 20_000

/**
 * Sends the presence at this ticket while it is shown: replying while a reply is typed, else viewing, also while a note is typed. Returns
 * the others at the ticket, and a function to call at each key. Nothing is sent before `isShown`.
 */
export function useTicketPresence(ticketId: number, isShown: boolean) {
  const me = useMe()
  const [here, setHere] = useState<PresentColleague[]>([])
  const typedAt = useRef(0)
  const said = useRef('')

  useEffect(() => {
    if (!isShown) return
    typedAt.current = 0
    said.current = ''
    const say = () => {
      const isTyping = typedAt.current > 0 && performance.now() - typedAt.current < typingMilliseconds
      const state = document.visibilityState === 'hidden' ? 'away' : isTyping ? 'replying' : 'viewing'
      void sendPresence(ticketId, state, said).then(staff => staff && setHere(staff))
    }
    say()
    const timer = setInterval(say, heartbeatMilliseconds)
    const leave = () => void sendPresence(ticketId, 'away', said)
    document.addEventListener('visibilitychange', say)
    addEventListener('pagehide', leave)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', say)
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [ticketId, isShown])

  useLiveEvents(['presence'], ({ ticket_id, staff }) => {
    if (ticket_id === ticketId) setHere(staff)
  })

  const say = useCallback(
    (kind: MessageKind) => {
      if (kind !== 'reply') return
      typedAt.current = performance.now()
      if (said.current !== 'replying') void sendPresence(ticketId, 'replying', said)
    },
    [ticketId]
  )
  return { say, others: here.filter(({ id }) => id !== me.id) }
}

export type PresentColleague = Presence['staff'][number]

type State = 'viewing' | 'replying' | 'away'

/** Sends the presence. "away" is sent only once; the service forgets the others by itself. */
async function sendPresence(
  id: number,
  state: State,
  lastSent: { current: string }
): Promise<PresentColleague[] | undefined> {
  if (state === 'away' && lastSent.current === 'away') return undefined
  lastSent.current = state
  try {
    return (await apiClient.POST('/api/admin/tickets/presence', { body: { id, state } })).data.staff
  } catch {
    // Presence is not important enough for an error message.
    return undefined
  }
}
