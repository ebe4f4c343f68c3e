import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { Desk } from './desk.ts'
import type { Person } from './people.ts'

/** An identity provider in code that can be told to do anything wrong. */
export interface IdentityProvider {
  issuer: string
  /** What the next token says, beside what it has to. */
  claims: Record<string, unknown>
  /** How the next token differs from a right one. */
  header: Record<string, unknown>
  /** What the user info answers; undefined: the same as the token. */
  userInfo: Record<string, unknown> | undefined
  /** Another key than the published one signs. */
  isForged: boolean
  isDown: boolean
  /** What happens, once, before the user info or the discovery answers. */
  whileAsked: (() => Promise<void>) | undefined
  /** What the discovery says otherwise. */
  metadata: Record<string, unknown>
  /** How clients may prove who they are, as the discovery says; undefined: it says nothing. */
  clientAuthentication: string[] | undefined
  /** How the desk last proved who it is. */
  authorization: string | undefined
  requests: string[]
  newKey(): void
  stop(): void
}

export async function anIdentityProvider(): Promise<IdentityProvider> {
  let [kid, key] = [1, generateKeyPairSync('rsa', { modulusLength: 2048 })]
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let nonce = ''
  const server = createServer((request, response) => {
    const url = new URL(request.url!, twin.issuer)
    twin.requests.push(url.pathname)
    const answer = async (body: object) => {
      const before = url.pathname === '/me' || url.pathname.startsWith('/.well-known/') ? twin.whileAsked : undefined
      if (before) twin.whileAsked = undefined
      await before?.()
      response.writeHead(twin.isDown ? 503 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(twin.isDown ? {} : body))
    }
    if (url.pathname === '/jwks') {
      return void answer({
        keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: String(kid), use: 'sig', alg: 'RS256' }]
      })
    }
    if (url.pathname === '/me') return void answer({ sub: twin.claims.sub, ...(twin.userInfo ?? twin.claims) })
    if (url.pathname === '/token') {
      let body = ''
      request.on('data', chunk => {
        body += chunk
      })
      request.on('end', () => {
        // The code carries the nonce, as a provider keeps it with the code.
        const fields = new URLSearchParams(body)
        nonce = fields.get('code') ?? ''
        twin.authorization = request.headers.authorization ?? fields.get('client_secret') ?? undefined
        void answer({ access_token: 'at', token_type: 'Bearer', expires_in: 60, id_token: idToken() })
      })
      return
    }
    void answer({
      issuer: twin.issuer,
      authorization_endpoint: `${twin.issuer}/auth`,
      token_endpoint: `${twin.issuer}/token`,
      jwks_uri: `${twin.issuer}/jwks`,
      userinfo_endpoint: `${twin.issuer}/me`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      token_endpoint_auth_methods_supported: twin.clientAuthentication,
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      ...twin.metadata
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function idToken(): string {
    const now = Math.floor(Date.now() / 1000)
    const header = { alg: 'RS256', typ: 'JWT', kid: String(kid), ...twin.header }
    const claims = { iss: issuer, aud: 'deskline', iat: now, exp: now + 300, nonce, ...twin.claims }
    const content = [header, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return `${content}.${signature(header.alg as string, content)}`
  }

  function signature(alg: string, content: string): string {
    if (alg === 'none') return ''
    const pem = key.publicKey.export({ type: 'spki', format: 'pem' })
    if (alg === 'HS256') return createHmac('sha256', pem).update(content).digest('base64url')
    const signing: KeyObject = twin.isForged ? other.privateKey : key.privateKey
    return sign('sha256', Buffer.from(content), signing).toString('base64url')
  }

  const twin: IdentityProvider = {
    issuer,
    claims: {},
    header: {},
    userInfo: undefined,
    isForged: false,
    isDown: false,
    whileAsked: undefined,
    metadata: {},
    clientAuthentication: undefined,
    authorization: undefined,
    requests: [],
    newKey() {
      kid++
      key = generateKeyPairSync('rsa', { modulusLength: 2048 })
    },
    stop: () => server.closeAllConnections()
  }
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return twin
}

/** Where a sign-in ended, and the cookies that it set. */
export interface Ended {
  location: string
  error: string | null
  cookies: string[]
}

/** Begins a sign-in in a browser of its own, and returns what it would send back from the provider. */
export async function begun(desk: Desk, slug: string, query = '') {
  const response = await fetch(`${desk.url}/api/sso/${slug}/start${query}`, { redirect: 'manual' })
  const location = response.headers.get('location') ?? ''
  const cookie = response.headers
    .getSetCookie()
    .map(each => each.split(';')[0]!)
    .join('; ')
  const asked = location.startsWith('http') ? new URL(location).searchParams : new URLSearchParams()
  // The code carries the nonce to the provider in code.
  const answer = { state: asked.get('state') ?? '', code: asked.get('nonce') ?? '' }
  return { status: response.status, location, cookie, answer, setCookies: response.headers.getSetCookie(), asked }
}

/** Comes back from the provider with that. */
export async function ended(desk: Desk, slug: string, cookie: string, answer: Record<string, string>): Promise<Ended> {
  const query = new URLSearchParams(answer)
  const response = await fetch(`${desk.url}/api/sso/${slug}/callback?${query}`, {
    headers: { cookie },
    redirect: 'manual'
  })
  const location = response.headers.get('location') ?? ''
  const error = new URL(location, desk.url).searchParams.get('sso_error')
  return { location, error, cookies: response.headers.getSetCookie() }
}

/** A whole sign-in by a provider. */
export async function signedInBy(desk: Desk, slug: string, query = ''): Promise<Ended> {
  const { cookie, answer } = await begun(desk, slug, query)
  return await ended(desk, slug, cookie, answer)
}

/** Who is signed in by the session cookie of a sign-in; undefined for nobody. */
export async function whoIs(desk: Desk, { cookies }: Ended, population: 'client' | 'staff') {
  const cookie = cookies.map(each => each.split(';')[0]!).find(each => each.startsWith(`deskline-${population}=`))
  if (!cookie) return undefined
  const headers = { cookie, 'x-deskline-session': population }
  const response = await fetch(`${desk.url}/api/auth/refresh`, { method: 'POST', headers })
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
  const { data } = (await response.json()) as any
  return data as { token: string; expires_in: number; user: { id: number; email: string; permissions?: string[] } }
}

let serial = 0

/** A provider that the desk knows, turned on. Returns its slug and id. */
export async function aProvider(desk: Desk, admin: Person, { issuer }: { issuer: string }, given: object = {}) {
  const slug = `provider-${++serial}`
  const body = {
    slug,
    name: 'Nordlicht',
    population: 'client',
    issuer,
    client_id: 'deskline',
    client_secret: 's3cret',
    is_active: 1,
    ...given
  }
  const reply = await desk.post('/api/admin/sso/create', admin, body)
  if (reply.status !== 201) throw new Error(reply.body.message)
  return { slug, id: reply.data.provider.id as number, version: reply.data.provider.version as number }
}
