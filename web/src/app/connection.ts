import { createStore, useStore } from '../lib/store.ts'

const offlineSince = createStore(navigator.onLine ? undefined : new Date())

/** Since when the browser is offline; undefined while online. */
export function useOfflineSince(): Date | undefined {
  return useStore(offlineSince)
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
  offlineSince.set(navigator.onLine ? undefined : (offlineSince.get() ?? new Date()))
}

addEventListener('online', changed)
addEventListener('offline', changed)
