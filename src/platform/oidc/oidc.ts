import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None
} from 'openid-client'
import { NotSent, outgoingHttp } from '../outgoing/outgoing.ts'

/** An identity provider did not do what OpenID Connect asks of it. The message is one sentence for admins. */
export class OidcFault extends Error {
  /** The step that failed. */
  readonly step: OidcStep
  /** The token is of another issuer than the configured one. */
  readonly isOfOtherIssuer: boolean
  constructor(step: OidcStep, message: string, { isOfOtherIssuer = false } = {}) {
    super(message)
    this.step = step
    this.isOfOtherIssuer = isOfOtherIssuer
  }
}

export type OidcStep = 'discovery' | 'keys' | 'tokens' | 'user_info'

export interface OidcClient {
  issuer: string
  clientId: string
  secret: string | undefined
  redirectUri: string
  scopes: string
}

/** The claims about somebody, verified. Those of the token come before those of the user info. */
export interface OidcPerson {
  subject: string
  claims: Record<string, unknown>
  email: string | undefined
  /** As the source of the e-mail address says it; undefined if that says nothing. */
  emailVerified: unknown
}

export interface Oidc {
  /** Whether the provider is there, and is whom it says. Throws `OidcFault`. */
  discover(client: OidcClient): Promise<void>
  /** Where to send the browser. Throws `OidcFault`. */
  authorizationUrl(client: OidcClient, attempt: OidcAttempt): Promise<string>
  /** Exchanges what the provider sent back by the browser, verifies all of it, and returns who it is. Throws `OidcFault`. */
  person(client: OidcClient, attempt: OidcAttempt, answer: URLSearchParams): Promise<OidcPerson>
}

interface OidcAttempt {
  state: string
  nonce: string
  verifier: string
}

/** No symmetric ones, and never none. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']
const skewSeconds = 60
/** Documents of providers with many keys are large. */
const documentBytes = 512 * 1024
const discoveredSeconds = 600
/** Keys are kept for so long; for an unknown one they are fetched anew, but so often at most. */
const [keysSeconds, refetchSeconds] = [300, 60]

/** OpenID Connect by the code flow with PKCE, for providers at addresses that the guard of outgoing requests lets through. */
export function oidcProviders({ allowed }: { allowed: readonly string[] }): Oidc {
  const outgoing = outgoingHttp({ allowed, keptBytes: documentBytes })
  const known = new Map<string, { configuration: Promise<Configuration>; until: number }>()

  const keys = new Map<string, { text: string; at: number; kids: unknown[]; isRefetched: boolean }>()

  async function guardedFetch(
    address: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown }
  ): Promise<Response> {
    const text = body === undefined || body === null ? undefined : String(body)
    const answer = await outgoing.send(new URL(address), {
      method,
      headers,
      ...(text === undefined ? {} : { body: text })
    })
    return new Response([204, 205, 304].includes(answer.status) ? null : answer.text, {
      status: answer.status,
      headers: answer.contentType === undefined ? {} : { 'content-type': answer.contentType }
    })
  }

  async function configurationOf(client: OidcClient, { isFresh = false } = {}): Promise<Configuration> {
    const key = JSON.stringify([client.issuer, client.clientId, client.secret])
    const former = known.get(key)
    if (former && !isFresh && former.until > Date.now()) return await former.configuration
    const configuration = discovered(client)
    known.set(key, { configuration, until: Date.now() + discoveredSeconds * 1000 })
    configuration.catch(() => known.delete(key))
    return await configuration
  }

  async function discovered({ issuer, clientId, secret }: OidcClient): Promise<Configuration> {
    try {
      const configuration = await discovery(
        new URL(issuer),
        clientId,
        { client_secret: secret, [clockTolerance]: skewSeconds },
        undefined,
        // The guard decides which addresses may be without encryption.
        { [customFetch]: guardedFetch as never, execute: [allowInsecureRequests, enableNonRepudiationChecks] }
      )
      configuration[customFetch] = guardedFetch as never
      const found = configuration.serverMetadata()
      if (found.issuer !== issuer) throw new OidcFault('discovery', `The provider calls itself ${found.issuer}`)
      for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
        if (!found[name]) throw new OidcFault('discovery', `The provider names no ${name}`)
        // The guard looks at those that the desk calls; browsers are sent to the first one.
        if (!isWebAddress(found[name], issuer))
          throw new OidcFault('discovery', `${name} is no ${new URL(issuer).protocol}// address`)
      }
      return configuration
    } catch (error) {
      throw faultOf('discovery', error)
    }
  }

  /** For one exchange: the library asks for the keys each time, and gets those that are kept, unless the token is signed by another one. */
  function withOwnKeys(shared: Configuration, { clientId, secret }: OidcClient): Configuration {
    const metadata = shared.serverMetadata()
    const settings = { client_secret: secret, [clockTolerance]: skewSeconds }
    const authentication = authenticationOf(secret, metadata.token_endpoint_auth_methods_supported)
    const configuration = new Configuration(metadata, clientId, settings, authentication)
    allowInsecureRequests(configuration)
    enableNonRepudiationChecks(configuration)
    let kid: unknown
    const fetchWithKeys = async (address: string, options: Parameters<typeof guardedFetch>[1]) => {
      if (address === metadata.jwks_uri) return keysResponse(await keysAt(address, kid))
      const response = await guardedFetch(address, options)
      if (address === metadata.token_endpoint) kid = await kidIn(response.clone())
      return response
    }
    configuration[customFetch] = fetchWithKeys as never
    return configuration
  }

  async function keysAt(address: string, kid: unknown): Promise<string> {
    const kept = keys.get(address)
    const age = kept ? (Date.now() - kept.at) / 1000 : Number.POSITIVE_INFINITY
    const isKnown = kid === undefined || kept?.kids.includes(kid)
    if (kept && age < keysSeconds && (isKnown || (kept.isRefetched && age < refetchSeconds))) return kept.text
    const response = await guardedFetch(address, { method: 'GET', headers: { accept: 'application/json' } })
    const text = await response.text()
    if (!response.ok) throw new OidcFault('keys', `The provider answers ${response.status} for its keys`)
    const found = JSON.parse(text) as { keys?: { kid?: unknown }[] }
    keys.set(address, {
      text,
      at: Date.now(),
      kids: (found.keys ?? []).map(each => each.kid),
      isRefetched: kept !== undefined
    })
    return text
  }

  return {
    async discover(client) {
      const configuration = await configurationOf(client, { isFresh: true })
      const address = configuration.serverMetadata().jwks_uri!
      const answer = await guardedFetch(address, { method: 'GET', headers: { accept: 'application/json' } }).catch(
        error => {
          throw faultOf('keys', error)
        }
      )
      const found = (await answer.json().catch(() => undefined)) as { keys?: unknown } | undefined
      if (!answer.ok || !Array.isArray(found?.keys)) throw new OidcFault('keys', 'The provider gives no keys')
    },

    async authorizationUrl(client, { state, nonce, verifier }) {
      const configuration = await configurationOf(client)
      return buildAuthorizationUrl(configuration, {
        redirect_uri: client.redirectUri,
        scope: client.scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256'
      }).href
    },

    async person(client, { state, nonce, verifier }, answer) {
      const configuration = withOwnKeys(await configurationOf(client), client)
      const url = new URL(client.redirectUri)
      url.search = answer.toString()
      try {
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true
        })
        const claims = tokens.claims()
        requireAlgorithm(tokens.id_token)
        if (!/^[^\0]{1,255}$/.test(claims?.sub ?? '')) throw new OidcFault('tokens', 'The claim sub is too long')
        if (claims?.iss !== client.issuer)
          throw new OidcFault('tokens', 'The token is of another issuer', { isOfOtherIssuer: true })
        const about = configuration.serverMetadata().userinfo_endpoint
          ? await fetchUserInfo(configuration, tokens.access_token, claims.sub).catch(error => {
              throw faultOf('user_info', error)
            })
          : undefined
        return personOf(claims, about)
      } catch (error) {
        throw faultOf('tokens', error)
      }
    }
  }
}

/** With the encryption that the issuer has, and nothing that a browser would run. */
function isWebAddress(address: string, issuer: string): boolean {
  const protocol = URL.parse(address)?.protocol
  return protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'))
}

/** How the desk proves to the provider who it is: as a provider that says nothing expects it, by HTTP Basic (OpenID Connect Discovery, section 3). */
function authenticationOf(
  secret: string | undefined,
  supported: readonly string[] = ['client_secret_basic']
): ClientAuth {
  if (secret === undefined) return None()
  return supported.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}

function keysResponse(text: string): Response {
  return new Response(text, { status: 200, headers: { 'content-type': 'application/json' } })
}

/** The key by which the token says that it is signed. */
async function kidIn(response: Response): Promise<unknown> {
  try {
    const { id_token: token } = (await response.json()) as { id_token?: string }
    return JSON.parse(Buffer.from(String(token).split('.')[0]!, 'base64url').toString('utf8')).kid
  } catch {
    return undefined
  }
}

function requireAlgorithm(token: string | undefined): void {
  const header = JSON.parse(Buffer.from(token?.split('.')[0] ?? '', 'base64url').toString('utf8'))
  if (!algorithms.includes(header.alg))
    throw new OidcFault('tokens', 'The token is signed by an algorithm that is not allowed')
}

function personOf(claims: Record<string, unknown>, about: Record<string, unknown> | undefined): OidcPerson {
  const source = typeof claims.email === 'string' ? claims : (about ?? {})
  const isSame = about !== undefined && about.email === source.email
  const said = [claims, about ?? {}].flatMap(({ email_verified }) => email_verified ?? [])
  return {
    subject: String(claims.sub),
    claims: { ...about, ...claims },
    email: typeof source.email === 'string' ? source.email : undefined,
    // A no counts wherever it is said, a yes only beside the same address.
    emailVerified:
      said.find(each => each !== true && each !== 'true') ??
      source.email_verified ??
      (isSame ? about.email_verified : undefined)
  }
}

/** What a library says may hold what the provider has sent: its code is enough. */
function faultOf(step: OidcStep, error: unknown): OidcFault {
  if (error instanceof OidcFault) return error
  const { cause, code, error: said } = error as { cause?: unknown; code?: unknown; error?: unknown }
  const notSent = [error, cause].find(each => each instanceof NotSent)
  if (notSent) return new OidcFault(step, (notSent as NotSent).message)
  const word = [said, code].find(each => typeof each === 'string' && /^[\w.-]{1,60}$/.test(each))
  const detail = error instanceof Error ? error.message.replace(/[^\w ."'/:(),=-]/g, '').slice(0, 200) : ''
  const isOfOtherIssuer = [cause, (cause as Error | undefined)?.cause].some(
    each => typeof each === 'object' && each !== null && 'claim' in each && each.claim === 'iss'
  )
  return new OidcFault(step, [detail, word && `(${word})`].filter(Boolean).join(' '), { isOfOtherIssuer })
}
