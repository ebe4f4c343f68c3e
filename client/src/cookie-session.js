import { abortable, withTimeout } from './delays-and-timeouts.js'
import { DesklineError, networkFailure } from './deskline-error.js'
import { connectTabs } from './tabs.js'

/** @typedef {import('./index.js').SessionUser} SessionUser */
/** @typedef {{ token: string, expires_at: number, user: SessionUser }} Kept */
/** @typedef {{ token: string, expires_in: number, user: any }} Given */
/** @typedef {{ kind: 'renewed', kept: Kept } | { kind: 'ended' }} Message */

/** A token that ends within this time is renewed before it is used. */
const marginMilliseconds = 30_000
/** How long another window may take to pass on its new token. */
const tokenFromTabMilliseconds = 1000
/** A renewal that takes longer counts as failed, since other windows wait for it. */
const renewalMilliseconds = 30_000

/**
 * The session of a page. The refresh token is in a cookie that no script can read; the access token is in memory, and is passed from
 * window to window.
 *
 * @param {import('./index.js').PageOptions & { baseUrl: string }} options
 * @param {() => Promise<Given | undefined>} askToRenew answers nothing where nobody is signed in
 */
export function makeCookieSession({ baseUrl, population, reauthenticate, onSessionEnd, onSessionBegin }, askToRenew) {
  /** @type {Kept | undefined} */
  let kept
  /** Who works on this page, also while the session is interrupted. @type {SessionUser | undefined} */
  let person
  let isKnownToBeOut = false
  let isReplaced = false
  /** @type {Promise<Kept | undefined> | undefined} */
  let renewal
  /** @type {Promise<Kept | undefined> | undefined} */
  let dialog
  /** Called with the next token that arrives, wherever it comes from. @type {Set<() => void>} */
  const waiting = new Set()
  const tabs = connectTabs(`deskline:${population}@${baseUrl}`, hear)

  /** @param {Message} message */
  function hear(message) {
    if (message.kind === 'ended') return end('signed_out')
    if (person && person.id !== message.kept.user.id) return end('replaced', message.kept.user)
    if (!isReplaced && message.kept.expires_at >= (kept?.expires_at ?? 0)) take(message.kept)
  }

  /** @param {Kept} next */
  function take(next) {
    const begins = isKnownToBeOut
    kept = next
    person = next.user
    isKnownToBeOut = false
    isReplaced = false
    for (const wake of waiting) wake()
    waiting.clear()
    if (begins) onSessionBegin?.(next.user)
  }

  /**
   * @param {import('./index.js').SessionEnd['reason']} reason
   * @param {SessionUser} [successor]
   */
  function end(reason, successor) {
    const former = person
    kept = undefined
    person = undefined
    isKnownToBeOut = true
    isReplaced = reason === 'replaced'
    if (former) onSessionEnd?.({ reason, user: former, ...(successor ? { successor } : {}) })
  }

  /** @param {Kept | undefined} used that was refused or ends soon; undefined on a page that has just been opened */
  function renew(used) {
    renewal ??= tabs
      .alone(async hadToWait => {
        if (hadToWait && kept === used) await withTimeout(arrival(), tokenFromTabMilliseconds).catch(() => {})
        if (kept !== used || isReplaced) return kept
        return await renewOnce()
      })
      .finally(() => {
        renewal = undefined
      })
    return renewal
  }

  async function renewOnce() {
    const given = await withTimeout(askToRenew(), renewalMilliseconds).catch(error => {
      if (error instanceof DesklineError && error.status === 401) return undefined
      throw error instanceof DesklineError ? error : networkFailure(error)
    })
    if (!given) {
      kept = undefined
      isKnownToBeOut = true
    } else if (person && person.id !== given.user.id) end('replaced', given.user)
    else keep(given)
    return kept
  }

  /** @param {Given} given */
  function keep({ token, expires_in, user }) {
    take({ token, expires_at: Date.now() + expires_in * 1000, user })
    if (kept) tabs.tell({ kind: 'renewed', kept })
  }

  /** @returns {Promise<void>} */
  function arrival() {
    return new Promise(resolve => waiting.add(resolve))
  }

  async function fresh() {
    if (isReplaced) throw replaced()
    if (kept ? kept.expires_at - Date.now() >= marginMilliseconds : isKnownToBeOut) return kept
    return await renew(kept)
  }

  /** One dialog for all calls. It is over as soon as somebody has signed in, here or in another window. */
  function signInAgain() {
    if (!dialog) {
      const asked = person && reauthenticate ? Promise.race([reauthenticate(person), arrival()]) : Promise.resolve()
      dialog = asked
        .then(() => {
          if (!kept && !isReplaced) end('expired')
          return kept
        })
        .finally(() => {
          dialog = undefined
        })
    }
    return dialog
  }

  return {
    current: async () => ({ population }),

    /** Who is signed in in this browser, if anybody. */
    user: async () => (await fresh())?.user,

    /**
     * Sends with the token, and once more with a new one when it is refused, also one for which somebody had to sign in again.
     *
     * @param {(token?: string) => Promise<Response>} send
     * @param {AbortSignal | null} [given]
     */
    async authorized(send, given) {
      const signal = given ?? undefined
      const used = await abortable(fresh(), signal)
      const asker = person?.id
      const response = await send(used?.token)
      // Only a refused access token has this header: a wrong password is a 401 as well.
      if (response.status !== 401 || !response.headers.has('www-authenticate')) return response
      const renewed = (used && (await abortable(renew(used), signal))) ?? (await abortable(signInAgain(), signal))
      if (isReplaced) throw replaced()
      // Another person must not continue what somebody has begun.
      return renewed && (asker === undefined || renewed.user.id === asker) ? await send(renewed.token) : response
    },

    /**
     * Signs in, as `work` says, while no other window renews: the last cookie counts.
     *
     * @template T
     * @param {() => Promise<T>} work
     */
    exclusively: async work => await tabs.alone(work),

    /**
     * @param {import('./index.js').Population} _population
     * @param {any} given
     */
    async open(_population, given) {
      // A sign-in on this page is intended, whoever was signed in before.
      person = undefined
      keep(given)
    },

    /** @param {(token: string | undefined) => Promise<unknown>} logOut takes the cookie away; where it fails the session goes on */
    async close(logOut) {
      await tabs.alone(async () => {
        await logOut(kept?.token)
        tabs.tell({ kind: 'ended' })
        end('signed_out')
      })
    }
  }
}

function replaced() {
  return new DesklineError({
    message: 'Somebody else has signed in in this browser',
    status: 401,
    reason: 'session_replaced'
  })
}
