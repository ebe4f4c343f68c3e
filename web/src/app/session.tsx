import { useSyncExternalStore } from 'react'
import { loadStrings, t } from '../lib/strings.ts'
import { announce } from '../ui/announce.ts'
import { desk, handleSession, population, queries } from './desk.ts'
import { startLive, stopLive } from './live.tsx'
import { currentMe, setMe } from './me.ts'

/** `open`: somebody is signed in. `ended`: they were, and what they see stays until they are again. */
export type SessionState = 'none' | 'open' | 'ended'

let state: SessionState = 'none'
let starting: Promise<void> | undefined
/** Tells the client whether somebody has signed in again, for the waiting calls. */
let answerClient: ((isBack: boolean) => void) | undefined
const listeners = new Set<() => void>()

/** Finds out, once, who is signed in in this browser. */
export function sessionStarted(): Promise<void> {
  starting ??= readMe().catch(error => {
    starting = undefined
    throw error
  })
  return starting
}

/** After a sign-in, on its page or in the dialog: loads the person. Waiting calls continue. */
export async function signedIn(): Promise<void> {
  if (answerClient) return goOn(true)
  await readMe()
}

/** Ends the session here and in all windows. Drafts stay in this browser. */
export async function signOut(): Promise<void> {
  await desk.signOut()
  forget()
}

/** Reloads the signed-in person: the name or the second factor may have changed. */
export async function readMe(): Promise<void> {
  if (!(await desk.user())) return forget()
  const { data } = await desk.POST('/api/account/profile')
  setMe(data.profile)
  if (state === 'none') startLive(population)
  set('open')
}

export function useSessionState(): SessionState {
  return useSyncExternalStore(subscribe, () => state)
}

/** The person does not sign in again: waiting calls fail, and keep their text. */
export function leaveEnded(): void {
  goOn(false)
}

handleSession({
  // The person signs in over the page. The stream waits like every call.
  reauthenticate: () => {
    set('ended')
    void Promise.resolve(loadStrings('session')).then(() => announce(t('session.ended'), 'assertive'))
    return new Promise(resolve => {
      answerClient = resolve
    })
  },
  onSessionEnd: ({ reason }) => {
    // Another person must not see what the previous one has loaded.
    if (reason === 'replaced') location.reload()
    else forget()
  },
  onSessionBegin: () => {
    if (answerClient) goOn(true)
    else if (!currentMe()) void readMe().catch(() => {})
  }
})

function goOn(isBack: boolean): void {
  const answer = answerClient
  answerClient = undefined
  if (isBack) set('open')
  answer?.(isBack)
}

function forget(): void {
  stopLive()
  queries.clear()
  setMe(undefined)
  set('none')
}

function set(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
