import { useEffect } from 'react'
import { PresenceLine } from '../presence/presence-line.tsx'
import { usePresence } from '../presence/use-presence.ts'

/** Who else has this article open, or writes it. `typed` is what has been changed here, and empty where nothing has. */
export function ArticlePresence({ id, typed }: { id: number; typed: string }) {
  const { sayTyping, others } = usePresence(`article ${id}`, true)
  useEffect(() => {
    if (typed !== '') sayTyping()
  }, [typed, sayTyping])
  return <PresenceLine others={others} viewing="knowledge.isViewing" typing="knowledge.isWriting" />
}
