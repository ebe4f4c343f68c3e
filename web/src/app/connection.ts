import { useSyncExternalStore } from 'react'

let offlineSince = navigator.onLine ? undefined : new Date()
const listeners = new Set<() => void>()

/** Since when the browser is offline; undefined while online. */
export function useOfflineSince(): Date | undefined {
  return useSyncExternalStore(subscribe, () => offlineSince)
}

/** Resolves once online. */
export function whenOnline(signal?: AbortSignal): Promise<void> {
  if (navigator.onLine) return Promise.resolve()
  return new Promise((resolve, reject) => {
    addEventListener('online', () => resolve(), { once: true, ...(signal && { signal }) })
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function changed(): void {
  offlineSince = navigator.onLine ? undefined : (offlineSince ?? new Date())
  for (const listener of listeners) listener()
}

addEventListener('online', changed)
addEventListener('offline', changed)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
