import { abortable } from './delays-and-timeouts.js'
import { DesklineError } from './deskline-error.js'

/** @typedef {import('./index.js').Tokens} Tokens */
/** @typedef {import('./index.js').TokenStorage} TokenStorage */

/** A token that ends within this time is renewed before it is used. */
const marginMilliseconds = 30_000

/**
 * The session of the signed-in person: stores the tokens, and renews them once for all calls that need it at the same time.
 *
 * @param {TokenStorage} storage
 * @param {(refreshToken: string) => Promise<import('./index.js').TokenPair>} exchange
 */
export function makeSession(storage, exchange) {
  /** @type {Promise<Tokens | undefined> | undefined} */
  let renewal

  /** @param {Tokens} used that were refused, or will be soon; undefined when the session is over */
  function renew(used) {
    renewal ??= alone(storage, () => renewOnce(storage, exchange, used)).finally(() => {
      renewal = undefined
    })
    return renewal
  }

  /** @returns {Promise<Tokens | undefined>} those that are kept, renewed where they are about to end */
  async function fresh() {
    const tokens = await storage.load()
    return tokens && tokens.expires_at - Date.now() < marginMilliseconds ? await renew(tokens) : tokens
  }

  return {
    current: async () => await storage.load(),

    /**
     * Sends with the token, and once more with a new one when it is refused.
     *
     * @param {(token?: string) => Promise<Response>} send
     * @param {AbortSignal | null} [signal]
     */
    async authorized(send, signal) {
      const tokens = await abortable(fresh(), signal ?? undefined)
      const response = await send(tokens?.token)
      // Only a refused access token has this header: a wrong password is a 401 as well.
      if (!tokens || response.status !== 401 || !response.headers.has('www-authenticate')) return response
      const renewed = await abortable(renew(tokens), signal ?? undefined)
      return renewed ? await send(renewed.token) : response
    },

    /**
     * @param {import('./index.js').Population} population
     * @param {import('./index.js').TokenPair} pair
     */
    async open(population, pair) {
      await storage.save(tokensOf(population, pair))
    },

    /**
     * @template T
     * @param {() => Promise<T>} work
     */
    exclusively: async work => await work(),

    /**
     * The tokens are forgotten, once no renewal can bring them back. An expired one would end no session.
     *
     * @param {(token: string | undefined) => Promise<unknown>} logOut
     */
    async close(logOut) {
      await renewal?.catch(() => {})
      const tokens = await fresh().catch(() => storage.load())
      await storage.save(undefined)
      if (tokens) await logOut(tokens.token)
    },

    /** Tokens do not contain the user. */
    user: async () => undefined
  }
}

/** @returns {TokenStorage} */
export function memoryStorage() {
  /** @type {Tokens | undefined} */
  let kept
  return {
    load: () => kept,
    save(tokens) {
      kept = tokens
    }
  }
}

/**
 * A refresh token works once. Whoever signed out, signed in as somebody else or renewed in another window meanwhile has the last word.
 *
 * @param {TokenStorage} storage
 * @param {(refreshToken: string) => Promise<import('./index.js').TokenPair>} exchange
 * @param {Tokens} used
 * @returns {Promise<Tokens | undefined>}
 */
async function renewOnce(storage, exchange, used) {
  const isStillKept = async () => (await storage.load())?.refresh_token === used.refresh_token
  if (!(await isStillKept())) return await storage.load()
  /** @type {Tokens | undefined} */
  let renewed
  try {
    renewed = tokensOf(used.population, await exchange(used.refresh_token))
  } catch (error) {
    if (!(error instanceof DesklineError) || error.status !== 401) throw error
  }
  if (await isStillKept()) await storage.save(renewed)
  return await storage.load()
}

/**
 * @template T
 * @param {TokenStorage} storage
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function alone(storage, work) {
  return storage.lock ? await storage.lock(work) : await work()
}

/**
 * @param {import('./index.js').Population} population
 * @param {import('./index.js').TokenPair} pair
 * @returns {Tokens}
 */
function tokensOf(population, { token, refresh_token, expires_in }) {
  return { population, token, refresh_token, expires_at: Date.now() + expires_in * 1000 }
}
