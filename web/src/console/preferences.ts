import { useSyncExternalStore } from 'react'

// What the console keeps in this browser for whoever uses it.

const eventsKey = 'deskline:events'
const listeners = new Set<() => void>()

/** Whether lines such as "Mira set the status to Answered" stand between the messages of a ticket. */
export function useEventsShown(): boolean {
  return useSyncExternalStore(subscribe, () => localStorage.getItem(eventsKey) !== 'hidden')
}

export function setEventsShown(areShown: boolean): void {
  localStorage.setItem(eventsKey, areShown ? 'shown' : 'hidden')
  changed()
}

/** Whether the next ticket opens once a reply is out. Kept with how somebody sent last, which the composer reads. */
export function useOpensNext(me: number): boolean {
  return useSyncExternalStore(subscribe, () => sendChoice(me).opensNext === true)
}

export function setOpensNext(me: number, opensNext: boolean): void {
  localStorage.setItem(sendKey(me), JSON.stringify({ ...sendChoice(me), opensNext }))
  changed()
}

const sendKey = (me: number) => `deskline:send:${me}`

function sendChoice(me: number): { opensNext?: boolean } {
  try {
    return JSON.parse(localStorage.getItem(sendKey(me)) ?? '{}')
  } catch {
    return {}
  }
}

function changed(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
