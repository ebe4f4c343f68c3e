import { DesklineError } from '@deskline/client'
import { useSyncExternalStore } from 'react'
import { t } from '../lib/strings.ts'
import { announce } from '../ui/announce.ts'
import { desk, population, queries, whenSessionEnds } from './desk.ts'
import { startLive, stopLive } from './live.tsx'
import { currentMe, setMe } from './me.ts'

/** `open`: somebody is signed in. `ended`: they were, and what they see stays until they are again. */
export type SessionState = 'none' | 'open' | 'ended'

interface Stopped {
  path: string
  goOn: () => void
  giveUp: (error: Error) => void
}

let state: SessionState = 'none'
let starting: Promise<void> | undefined
let stopped: Stopped[] = []
const listeners = new Set<() => void>()
// Tabs of one population share a session; those of the other do not.
const tabs = new BroadcastChannel(`deskline:session:${population}`)

/** Finds out, once, who is signed in: the cookie tells the service. */
export function sessionStarted(): Promise<void> {
  starting ??= readMe().catch(error => {
    starting = undefined
    throw error
  })
  return starting
}

/** After a sign-in: who it is, and what happens from now on. Other tabs whose session had ended go on as well. */
export async function signedIn(): Promise<void> {
  const before = currentMe()
  await readMe()
  tabs.postMessage({ kind: 'signed-in', id: currentMe()?.id })
  // Somebody else may not see what the person before them has loaded.
  if (before && before.id !== currentMe()?.id) location.reload()
  goOn()
}

/** Ends the session here and in all tabs. Drafts stay in this browser. */
export async function signOut(): Promise<void> {
  whenSessionEnds(undefined)
  await desk.signOut().catch(() => {})
  tabs.postMessage({ kind: 'signed-out' })
  forget()
}

/** Reads again who is signed in: a name or the second factor may be others now. */
export async function readMe(): Promise<void> {
  try {
    const { data } = await desk.POST('/api/account/profile')
    setMe(data.profile)
  } catch (error) {
    if (!(error instanceof DesklineError) || error.status !== 401) throw error
    return forget()
  }
  if (state !== 'open') startLive(population)
  set('open')
  whenSessionEnds(ended)
}

export function useSessionState(): SessionState {
  return useSyncExternalStore(subscribe, () => state)
}

/** The addresses of the calls that wait for a sign-in. */
export function stoppedPaths(): string[] {
  return stopped.map(({ path }) => path)
}

/** They do not sign in again: what waits fails, and keeps its text. */
export async function leaveEnded(): Promise<void> {
  const waiting = stopped
  stopped = []
  for (const { giveUp } of waiting)
    giveUp(new DesklineError({ message: 'Signed out', status: 401, reason: 'unauthenticated' }))
  await signOut()
}

/** A call was refused because the session is over. It waits, with what it carries, until somebody is back. */
function ended(path: string): Promise<void> {
  if (state === 'open') {
    stopLive()
    set('ended')
    announce(t('session.ended'), 'assertive')
  }
  return new Promise((goOn, giveUp) => {
    stopped.push({ path, goOn, giveUp })
  })
}

function goOn(): void {
  const waiting = stopped
  stopped = []
  for (const { goOn } of waiting) goOn()
  void queries.invalidateQueries()
}

function forget(): void {
  whenSessionEnds(undefined)
  stopLive()
  queries.clear()
  setMe(undefined)
  set('none')
}

tabs.addEventListener('message', ({ data }: MessageEvent<{ kind: 'signed-in' | 'signed-out'; id?: number }>) => {
  if (data.kind === 'signed-out') {
    if (state !== 'none') void desk.signOut().catch(() => {})
    forget()
  } else if (state === 'ended' || state === 'none') {
    void readMe().then(goOn, () => {})
  } else if (data.id !== currentMe()?.id) location.reload()
})

function set(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
