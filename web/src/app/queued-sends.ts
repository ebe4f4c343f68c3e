import { createStore, useStore } from '../lib/store.ts'
import { whenOnline } from './connection.ts'

/** A send that waits for the network. */
export interface QueuedSend {
  id: number
  /** "Reply to TIC-104233" */
  label: string
  cancel: () => void
}

const queued = createStore<readonly QueuedSend[]>([])
let count = 0
let previousSend: Promise<unknown> = Promise.resolve()

/** The error of a cancelled send. The draft is kept. */
export class SendCancelled extends Error {}

/**
 * Sends at once while online; otherwise queues the send until the browser is online again. Until then it is listed and can be cancelled, and
 * its draft is kept, so that closing the page loses nothing.
 */
export async function sendWhenOnline<Answer>(label: string, send: () => Promise<Answer>): Promise<Answer> {
  if (navigator.onLine && queued.get().length === 0) return await send()
  const ending = new AbortController()
  const mine: QueuedSend = { id: ++count, label, cancel: () => ending.abort(new SendCancelled(label)) }
  queued.set([...queued.get(), mine])
  const before = previousSend
  const mineDone = (async () => {
    try {
      await whenOnline(ending.signal)
      await before.catch(() => {})
      ending.signal.throwIfAborted()
    } finally {
      queued.set(queued.get().filter(other => other !== mine))
    }
    return await send()
  })()
  previousSend = mineDone.catch(() => {})
  return await mineDone
}

export function useQueuedSends(): readonly QueuedSend[] {
  return useStore(queued)
}
