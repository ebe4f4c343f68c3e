import createApi from 'openapi-fetch'
import { makeTokenSession } from './api-token.js'
import { makeCookieSession } from './cookie-session.js'
import { envelopeOf, failureOf } from './deskline-error.js'
import { idempotentPaths } from './idempotent-paths.js'
import { pagesOf } from './pages.js'
import { sendWithRetries } from './send-with-retries.js'
import { makeSession, memoryStorage } from './session.js'
import { streamOf } from './stream.js'
import { formOf, sendWithFetch, sendWithProgress } from './transport.js'

/** @typedef {import('./index.js').Population} Population */
/** @typedef {import('./transport.js').Transport} Transport */

const logInPaths = /** @type {const} */ ({ client: '/api/auth/login', staff: '/api/admin/auth/login' })
const passkeyPaths = /** @type {const} */ ({
  client: '/api/auth/passkey/verify',
  staff: '/api/admin/auth/passkey/verify'
})
const streamPaths = /** @type {const} */ ({ client: '/api/events/stream', staff: '/api/admin/events/stream' })

/**
 * @param {import('./index.js').ClientOptions} options
 * @returns {any} the types tell what a page has besides
 */
export function createClient(options) {
  const { baseUrl, fetch = globalThis.fetch, retries = 4 } = options
  const api = createApi({ baseUrl })
  // Only the desk's own pages can send this header: it requests a cookie instead of the refresh token.
  const headers = options.session === 'cookie' ? { 'X-Deskline-Session': options.population } : {}
  /** @type {ReturnType<typeof makeTokenSession> | ReturnType<typeof makeCookieSession> | ReturnType<typeof makeSession>} */
  const session =
    options.token !== undefined
      ? makeTokenSession(options.token, options.population ?? 'staff')
      : options.session === 'cookie'
        ? makeCookieSession(options, async () => {
            const { data } = await post('/api/auth/refresh', { headers, isAnonymous: true })
            return 'token' in data ? data : undefined
          })
        : makeSession(options.storage ?? memoryStorage(), async refresh_token => {
            const { data } = await post('/api/auth/refresh', { body: { refresh_token }, isAnonymous: true })
            return data
          })
  /** @type {{ population: Population, temp_token: string } | undefined} */
  let challenge

  /**
   * Every call goes through here.
   *
   * @param {string} path
   * @param {Record<string, any>} [init]
   * @param {Transport} [transport]
   * @returns {Promise<any>} the envelope, or the stream as it comes, with the response
   */
  async function post(path, init = {}, transport = sendWithFetch) {
    const { idempotencyKey, isAnonymous, isStream, tries = retries, ...rest } = init
    const key = idempotentPaths.includes(path) ? (idempotencyKey ?? newKey()) : undefined
    const options = { isRepeatable: key !== undefined || isRepeatable(path), retries: tries, signal: init.signal }

    /** @param {Request} request as it was made of the path and its parameters; it is never sent itself */
    async function answer(request) {
      // The encoder of the form also sets its boundary.
      if (init.body instanceof FormData) request.headers.delete('Content-Type')
      const body = init.body instanceof FormData ? init.body : (await request.text()) || undefined
      /** @param {string} [token] */
      const attempt = async token => {
        const headers = new Headers(request.headers)
        if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
        if (key !== undefined) headers.set('Idempotency-Key', key)
        return await transport(fetch, request.url, { method: 'POST', headers, body, signal: request.signal })
      }
      return await sendWithRetries(() => (isAnonymous ? attempt() : session.authorized(attempt, init.signal)), options)
    }

    const given = { ...rest, parseAs: isStream ? 'stream' : 'text', fetch: answer }
    const { data, error, response } = await /** @type {any} */ (api).POST(path, given)
    if (!response.ok) throw failureOf(response, error)
    return isStream ? { data, response } : { ...envelopeOf(response, data), response }
  }

  return {
    POST: post,

    user: session.user,

    /** @type {import('./index.js').DesklineClient['signIn']} */
    async signIn({ population = options.population ?? 'client', signal, ...body }) {
      return await session.exclusively(async () => {
        const { data } = await post(logInPaths[population], { body, headers, isAnonymous: true, signal })
        if ('requires_2fa' in data) challenge = { population, temp_token: data.temp_token }
        else await session.open(population, data)
        return data
      })
    },

    /** @type {import('./index.js').DesklineClient['verifyTwoFactor']} */
    async verifyTwoFactor({ code, temp_token = challenge?.temp_token, signal }) {
      if (temp_token === undefined) throw new Error('Nobody is asked for a second factor: call signIn first')
      const body = { code, temp_token }
      return await session.exclusively(async () => {
        const { data } = await post('/api/auth/2fa/verify-login', { body, headers, isAnonymous: true, signal })
        challenge = undefined
        await session.open(data.user.user_type === 'staff' ? 'staff' : 'client', data)
        return data
      })
    },

    /** @type {import('./index.js').PageClient['signInWithPasskey']} */
    async signInWithPasskey({ population = options.population ?? 'client', signal, ...body }) {
      return await session.exclusively(async () => {
        const { data } = await post(passkeyPaths[population], { body, headers, isAnonymous: true, signal })
        await session.open(population, data)
        return data
      })
    },

    /** @type {import('./index.js').PageClient['resumeSignIn']} */
    async resumeSignIn() {
      const { data } = await post('/api/sso/challenge', { headers, isAnonymous: true })
      if (data.temp_token === null) return false
      challenge = { population: options.population ?? 'client', temp_token: data.temp_token }
      return true
    },

    async signOut() {
      await session.close(async token => {
        const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` }
        await post('/api/auth/logout', { isAnonymous: true, headers: { ...headers, ...bearer } })
      })
    },

    /** @type {import('./index.js').DesklineClient['pages']} */
    pages: (path, ...[init]) => pagesOf(post, path, init),

    /** @type {import('./index.js').DesklineClient['stream']} */
    async *stream({ population, ...options } = {}) {
      const path = streamPaths[population ?? (await session.current())?.population ?? 'client']
      yield* streamOf((init, transport) => post(path, { ...init, isStream: true }, transport), options)
    },

    /** @type {import('./index.js').DesklineClient['upload']} */
    async upload(path, { fields = {}, files = [], onProgress, ...init }) {
      const body = formOf(/** @type {object} */ (fields), files)
      return await post(path, { ...init, body }, onProgress ? sendWithProgress(onProgress) : sendWithFetch)
    }
  }
}

/**
 * Reads may be repeated, and so may signing out. A renewal may be repeated as well: if its response was lost the session is lost in any
 * case, and if the request was lost it is not.
 *
 * @param {string} path
 */
function isRepeatable(path) {
  return /\/(list|detail|counts|search|stream|refresh|logout)$/.test(path)
}

/** `randomUUID` is missing on pages without TLS. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
