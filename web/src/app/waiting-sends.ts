import { useSyncExternalStore } from 'react'
import { whenOnline } from './connection.ts'

/** A send that waits for the network. */
export interface WaitingSend {
  id: number
  /** "Reply to TIC-104233" */
  label: string
  cancel: () => void
}

let waiting: readonly WaitingSend[] = []
let count = 0
let turn: Promise<unknown> = Promise.resolve()
const listeners = new Set<() => void>()

/** The error of a cancelled send. The draft is kept. */
export class SendCancelled extends Error {}

/**
 * Sends at once while there is a network; else in its turn when there is one again. Until then it can be seen and cancelled, and the draft
 * stays: whoever closes the page has lost nothing.
 */
export async function sendOrWait<Answer>(label: string, send: () => Promise<Answer>): Promise<Answer> {
  if (navigator.onLine && waiting.length === 0) return await send()
  const ending = new AbortController()
  const mine: WaitingSend = { id: ++count, label, cancel: () => ending.abort(new SendCancelled(label)) }
  set([...waiting, mine])
  const before = turn
  const mineDone = (async () => {
    try {
      await whenOnline(ending.signal)
      await before.catch(() => {})
      ending.signal.throwIfAborted()
    } finally {
      set(waiting.filter(other => other !== mine))
    }
    return await send()
  })()
  turn = mineDone.catch(() => {})
  return await mineDone
}

export function useWaitingSends(): readonly WaitingSend[] {
  return useSyncExternalStore(subscribe, () => waiting)
}

function set(next: readonly WaitingSend[]): void {
  waiting = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
