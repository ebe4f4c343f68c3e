import { useEffect, useState } from 'react'
import { createStore, useStore } from '../lib/store.ts'

/** A reply that the service has, and that has not gone yet. */
export interface WaitingReply {
  messageId: number
  ticketId: number
  number: string
  /** Who gets it: "Katharina and Anton". */
  names: string
  /** When it goes, by the clock of this browser, in milliseconds. */
  goesAt: number
  /** The account whose draft it was: `staff:2`. */
  account: string
  /** It goes to a third party. */
  isAside?: true
}

export const waitingReplies = createStore<readonly WaitingReply[]>([])

/** One's own replies that wait, the last one last. */
export function useWaitingReplies(): readonly WaitingReply[] {
  return useStore(waitingReplies)
}

/** The seconds until it goes, counted down. */
export function useSecondsLeft(goesAt: number): number {
  const [left, setLeft] = useState(() => secondsUntil(goesAt))
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(goesAt)), 250)
    return () => clearInterval(timer)
  }, [goesAt])
  return left
}

function secondsUntil(at: number): number {
  return Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
