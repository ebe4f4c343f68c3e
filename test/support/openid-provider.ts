import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
// It brings no types.
// @ts-expect-error
import Provider from 'oidc-provider'

/** Somebody with an account at the provider: the login, and the claims about them. */
type Person = Record<string, unknown>

/** A real identity provider (`oidc-provider`): people sign in by a form, with any password. */
export interface OpenIdProvider {
  issuer: string
  /** By their logins, which are their subjects. */
  people: Record<string, Person>
  /** Where desks are that may send people to it. */
  allow(redirectUri: string): void
  stop(): Promise<void>
}

const claims = {
  openid: ['sub', 'groups', 'realm_access'],
  email: ['email', 'email_verified'],
  profile: ['name', 'given_name', 'family_name']
}

/** `client`: what its client may besides, such as to be given refresh tokens. */
export async function openIdProvider(client: object = {}): Promise<OpenIdProvider> {
  let handle: ReturnType<Provider['callback']> | undefined
  const server = createServer((request, response) => handle!(request, response))
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people: OpenIdProvider['people'] = {}
  const redirectUris = ['http://localhost/of-no-desk']
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

  function serve() {
    const provider = new Provider(issuer, {
      clients: [{ client_id: 'deskline', client_secret: 's3cret', redirect_uris: redirectUris, ...client }],
      claims,
      // As Keycloak does it: the token itself says who it is.
      conformIdTokenClaims: false,
      cookies: { keys: [randomBytes(16).toString('hex')] },
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] },
      pkce: { required: () => true },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
      findAccount: (_: unknown, id: string) =>
        people[id] && { accountId: id, claims: () => ({ ...people[id], sub: id }) }
    })
    handle = provider.callback()
  }

  serve()
  return {
    issuer,
    people,
    allow(redirectUri) {
      redirectUris.push(redirectUri)
      serve()
    },
    stop: () =>
      new Promise(stopped => {
        server.closeAllConnections()
        server.close(() => stopped())
      })
  }
}

/** Signs in at the provider by its forms, as a browser would, and returns the address to which it sends the browser back. */
export async function signInThere(begin: string, login: string): Promise<URL> {
  const jar = new Map<string, string>()
  const { origin } = new URL(begin)

  async function visit(address: string, fields?: Record<string, string>): Promise<Response> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const form = fields && { method: 'POST', body: new URLSearchParams(fields) }
    const response = await fetch(address, { redirect: 'manual', headers: { cookie }, ...form })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (value === '') jar.delete(name!)
      else jar.set(name!, value!)
    }
    return response
  }

  let response = await visit(begin)
  for (let step = 0; step < 12; step++) {
    const location = response.headers.get('location')
    if (location) {
      const next = new URL(location, begin)
      if (next.origin !== origin) return next
      response = await visit(next.href)
      continue
    }
    const page = await response.text()
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (!action || !prompt) throw new Error(`The provider shows no form: ${response.status} ${page.slice(0, 500)}`)
    response = await visit(new URL(action, begin).href, { prompt, ...(prompt === 'login' && { login, password: 'x' }) })
  }
  throw new Error('The provider goes in circles')
}
