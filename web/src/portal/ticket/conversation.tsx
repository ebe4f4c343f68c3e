import { ArrowDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from './message.tsx'
import styles from './thread.module.css'
import type { Thread } from './thread.ts'

type Messages = Thread['messages']

/** The first message and the last five are always shown; those between are folded if there are more than this. */
const foldedFrom = 4
const lastOpen = 5

/** All messages, the newest at the bottom. If one arrives below the visible part, nothing scrolls; a button leads to it. */
export function Conversation({ messages }: { messages: Messages }) {
  const [isUnfolded, setIsUnfolded] = useState(false)
  const end = useRef<HTMLDivElement>(null)
  const [newIds, seeNew] = useArrivals(messages, end)

  useEffect(() => {
    // The whole thread is printed.
    const unfold = () => flushSync(() => setIsUnfolded(true))
    window.addEventListener('beforeprint', unfold)
    return () => window.removeEventListener('beforeprint', unfold)
  }, [])

  const folded = isUnfolded ? [] : messages.slice(1, -lastOpen)
  const shown = folded.length < foldedFrom ? messages : [messages[0]!, ...messages.slice(-lastOpen)]

  return (
    <section className={`card ${styles.thread}`} aria-label={t('portal-ticket.conversation')}>
      {shown.map((message, at) => (
        <div key={message.id}>
          <Message message={message} isNew={newIds.includes(message.id)} />
          {at === 0 && shown.length < messages.length && (
            <div className={styles.fold}>
              <Button size="sm" onClick={() => setIsUnfolded(true)}>
                {t('portal-ticket.earlier', { count: folded.length })}
              </Button>
            </div>
          )}
        </div>
      ))}
      <div ref={end} />
      {newIds.length > 0 && (
        <div className={styles.pill}>
          <Button variant="primary" icon={ArrowDown} onClick={() => seeNew()}>
            {t('portal-ticket.newMessages', { count: newIds.length })}
          </Button>
        </div>
      )}
    </section>
  )
}

/**
 * The ids of messages of others that have arrived below the visible part, and the function that scrolls to the first of them. Each new message
 * is announced.
 */
function useArrivals(messages: Messages, end: React.RefObject<HTMLDivElement | null>): [number[], () => void] {
  const [newIds, setNewIds] = useState<number[]>([])
  const isEndInSight = useRef(true)
  const newest = useRef(messages.at(-1)?.id ?? 0)

  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      isEndInSight.current = entry?.isIntersecting ?? true
      if (isEndInSight.current) setNewIds([])
    })
    observer.observe(end.current!)
    return () => observer.disconnect()
  }, [end])

  useEffect(() => {
    const arrived = messages.filter(({ id, sender_type }) => id > newest.current && sender_type !== 'customer')
    newest.current = messages.at(-1)?.id ?? 0
    if (arrived.length === 0) return
    announce(t('portal-ticket.newMessageFrom', { name: arrived.at(-1)!.first_name }))
    if (!isEndInSight.current) setNewIds(former => [...former, ...arrived.map(({ id }) => id)])
  }, [messages])

  function see() {
    const first = document.getElementById(`message-${newIds[0]}`)
    setNewIds([])
    first?.scrollIntoView({ block: 'start' })
    first?.focus({ preventScroll: true })
  }
  return [newIds, see]
}
