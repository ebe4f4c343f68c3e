import { population, setSessionHandlers } from '../client/client.ts'
import { forgetEarlyRequests } from '../client/early-requests.ts'
import { createStore, useStore } from '../lib/store.ts'
import { loadStrings, t } from '../lib/strings.ts'
import { announce } from '../ui/announce.ts'
import { apiClient, post, queryClient } from './api-client.ts'
import { startEventStream, stopEventStream, tellInterrupted } from './event-stream.ts'
import { currentMe, setMe } from './me.ts'

/** `open`: somebody is signed in. `ended`: their session has ended, and the page stays until they sign in again. */
export type SessionState = 'none' | 'open' | 'ended'

const state = createStore<SessionState>('none')
let starting: Promise<void> | undefined
/** Tells the client whether somebody has signed in again, for the waiting calls. */
let resolveReauthentication: ((isBack: boolean) => void) | undefined

/** Loads the person who is signed in in this browser, once. */
export function loadSession(): Promise<void> {
  starting ??= reloadMe().catch(error => {
    starting = undefined
    throw error
  })
  return starting
}

/** After a sign-in, on its page or in the dialog: loads the person. Waiting calls continue. */
export async function completeSignIn(): Promise<void> {
  if (resolveReauthentication) return resumeCalls(true)
  await reloadMe()
}

/** Ends the session here and in all windows. Drafts stay in this browser. */
export async function signOut(): Promise<void> {
  await apiClient.signOut()
  clearSession()
}

/** Reloads the signed-in person: the name or the second factor may have changed. */
export async function reloadMe(): Promise<void> {
  const user = await apiClient.user()
  if (!user) return clearSession()
  if (state.get() === 'none') startEventStream(population, user.id, findOut)
  const { profile } = await post('/api/account/profile')
  setMe(profile)
  state.set('open')
}

export function useSessionState(): SessionState {
  return useStore(state)
}

/** The person does not sign in again: waiting calls fail, and keep their text. */
export function abandonSession(): void {
  resumeCalls(false)
}

setSessionHandlers({
  // The person signs in over the page. The stream waits like every call.
  reauthenticate: () => {
    state.set('ended')
    tellInterrupted()
    void Promise.resolve(loadStrings('session')).then(() => announce(t('session.ended'), 'assertive'))
    return new Promise(resolve => {
      resolveReauthentication = resolve
    })
  },
  onSessionEnd: ({ reason }) => {
    // Another person must not see what the previous one has loaded.
    if (reason === 'replaced') location.reload()
    else clearSession()
  },
  onSessionBegin: () => {
    if (resolveReauthentication) resumeCalls(true)
    else if (!currentMe()) void reloadMe().catch(() => {})
  }
})

/** Another tab says that the session has ended. If it has, this call is refused like all others, and waits for the sign-in. */
function findOut(): void {
  post('/api/account/profile').catch(() => {})
}

function resumeCalls(isBack: boolean): void {
  const answer = resolveReauthentication
  resolveReauthentication = undefined
  if (isBack) state.set('open')
  answer?.(isBack)
}

function clearSession(): void {
  // Where nobody was signed in nothing is forgotten: the sign-in page waits for what it has requested.
  if (!currentMe() && state.get() === 'none') return
  stopEventStream()
  forgetEarlyRequests()
  queryClient.clear()
  setMe(undefined)
  state.set('none')
}
