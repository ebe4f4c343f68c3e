import { useCallback, useEffect, useRef } from 'react'
import { post } from '../../app/api-client.ts'
import { onStreamOpened, type Place, type PresentColleague, presenceAt, usePresenceAt } from '../../app/event-stream.ts'
import { useMe } from '../../app/me.ts'

/** The service forgets a presence after half a minute. */
const heartbeatMilliseconds = 12_000
const typingMilliseconds = 20_000

/**
 * Sends the presence at this ticket or article while it is shown: `replying` or `writing` while something is typed that others should know of, else
 * `viewing`. Returns the others there, and a function to call at each key. Nothing is sent before `isShown`; `isQuiet`: what is typed is not told.
 */
export function usePresence(place: Place, isShown: boolean, isQuiet = false) {
  const me = useMe()
  const here = usePresenceAt(place)
  const typedAt = useRef(0)
  const said = useRef<State | undefined>(undefined)

  useEffect(() => {
    if (!isShown) return
    typedAt.current = 0
    said.current = undefined
    const say = () => {
      const isTyping = typedAt.current > 0 && performance.now() - typedAt.current < typingMilliseconds
      sendPresence(place, document.hidden ? 'away' : isTyping ? 'typing' : 'viewing', said)
    }
    say()
    const timer = setInterval(() => {
      // This person types in another window, which says so itself.
      const isTypingElsewhere = said.current === 'viewing' && stateOf(me.id, presenceAt(place)) === 'typing'
      if (!isTypingElsewhere) say()
    }, heartbeatMilliseconds)
    const leave = () => sendPresence(place, 'away', said)
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
  }, [place, isShown, me.id])

  useEffect(() => {
    const isHere = said.current !== undefined && said.current !== 'away' && !document.hidden
    // Another window of this person has left.
    if (isHere && !stateOf(me.id, here)) sendPresence(place, said.current!, said)
  }, [here, place, me.id])

  useEffect(() => {
    if (!isQuiet) return
    typedAt.current = 0
    if (said.current === 'typing') sendPresence(place, 'viewing', said)
  }, [place, isQuiet])

  const sayTyping = useCallback(() => {
    typedAt.current = performance.now()
    if (said.current !== 'typing') sendPresence(place, 'typing', said)
  }, [place])
  return { sayTyping, others: here?.filter(({ id }) => id !== me.id) ?? [] }
}

type State = 'viewing' | 'typing' | 'away'

function stateOf(id: number, staff: PresentColleague[] | undefined): State | undefined {
  const member = staff?.find(member => member.id === id)
  return member && (member.state === 'viewing' ? 'viewing' : 'typing')
}

/** Sends the presence. "away" is sent only once; the service forgets the others by itself. */
function sendPresence(place: Place, state: State, lastSent: { current: State | undefined }): void {
  if (state === 'away' && lastSent.current === 'away') return
  lastSent.current = state
  const isTyping = state === 'typing'
  const sent =
    typeof place === 'number'
      ? post('/api/admin/tickets/presence', { id: place, state: isTyping ? 'replying' : state })
      : post('/api/admin/kb/articles/presence', {
          id: Number(place.slice('article '.length)),
          state: isTyping ? 'writing' : state
        })
  // Presence is not important enough for an error message.
  sent.catch(() => {})
}
