import { act } from '../../core/acts/act.ts'
import { auditActorOfAccount } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { actorOfSession } from '../../core/sessions/session-of.ts'
import type { TokenPair } from '../../core/sessions/sessions.ts'
import type { Caller } from '../../kit/caller.ts'
import { OidcFault, type OidcPerson } from '../../platform/oidc/oidc.ts'
import { type AnyAccount, accountById } from '../auth/accounts.ts'
import { issueChallenge } from '../auth/challenges.ts'
import { openProviderSession } from '../auth/provider-session.ts'
import { recordSignIn } from '../auth/record-sign-in.ts'
import { accountOfPerson, linked } from './account-of-person.ts'
import { type Attempt, type Begun, beginAttempt, useAttempt } from './attempts.ts'
import { addressRefusal, hasFactor, otherIssuer, type Refusal, tenantRefusal } from './judge-person.ts'
import { oidcClient, oidcOf, type SsoProvider } from './providers.ts'
import { recordRefusal } from './refusals.ts'
import { keepTestFailure, keepTestResult } from './test-sign-in.ts'

/** How a sign-in at a provider ended. */
export type SsoOutcome =
  | { tokens: TokenPair; returnTo: string }
  | { tempToken: string; returnTo: string }
  | { returnTo: string }
  | SsoFailure

/** Why it ended without one. `begun`: what was begun, unless that is over. */
export interface SsoFailure {
  error: string
  reference?: string
  begun?: Pick<Begun, 'purpose' | 'returnTo'>
}

/** Begins a sign-in at a provider; where it cannot be reached, its failure is recorded. */
export async function startSignIn(
  services: Services,
  provider: SsoProvider,
  begun: Begun,
  ip: string
): Promise<{ id: number; url: string; cookie: string } | SsoFailure> {
  try {
    return await beginAttempt(services, provider, begun, ip)
  } catch (error) {
    if (!(error instanceof OidcFault)) throw error
    services.metrics.ssoFailures.inc()
    return await refused(services, provider, begun, { code: 'provider_error', reason: error.message })
  }
}

/** Keeps why somebody is not let in: for the admin who tries the provider, or with a reference for all of them. */
async function refused(
  services: Services,
  provider: SsoProvider,
  begun: Pick<Attempt, 'purpose' | 'returnTo'> & { id?: number },
  { code, reason }: Pick<Refusal, 'reason'> & { code: string }
): Promise<SsoFailure> {
  if (begun.purpose !== 'test')
    return { error: code, begun, reference: await recordRefusal(services, provider.id, { code, reason }) }
  if (begun.id !== undefined) await keepTestFailure(services, begun.id, reason)
  return { error: code, begun }
}

/** Ends a sign-in with what the provider sent back by the browser. Nothing is tried again. */
export async function endSignIn(
  services: Services,
  provider: SsoProvider,
  { answer, cookie }: { answer: URLSearchParams; cookie: string },
  caller: Caller
): Promise<SsoOutcome> {
  const attempt = await useAttempt(services, provider, { state: answer.get('state') ?? '', cookie })
  if (!attempt) return { error: 'expired' }
  const refuse: Refuse = refusal => refused(services, provider, attempt, refusal)
  if (!provider.is_active && attempt.purpose !== 'test') {
    return await refuse({ code: 'provider_error', reason: 'The provider is turned off' })
  }
  const said = answer.get('error')
  if (said !== null) {
    const word = /^[\w.-]{1,60}$/.test(said) ? said : 'an error'
    const code = said === 'access_denied' ? 'access_denied' : 'provider_error'
    return await refuse({ code, reason: `The provider said ${word}` })
  }
  let person: OidcPerson
  try {
    const state = answer.get('state')!
    person = await oidcOf(services).person(oidcClient(services, provider), { ...attempt, state }, answer)
  } catch (error) {
    if (!(error instanceof OidcFault)) throw error
    if (error.isOfOtherIssuer) return await refuse(otherIssuer)
    services.metrics.ssoFailures.inc()
    return await refuse({ code: 'provider_error', reason: error.message })
  }
  const tenant = tenantRefusal(provider, person)
  if (tenant) return await refuse(tenant)
  if (attempt.purpose === 'test') {
    await keepTestResult(services, provider, attempt.id, person)
    return { returnTo: attempt.returnTo }
  }
  if (attempt.purpose === 'link') return await endLink(services, provider, attempt, person, caller, refuse)
  const account = await accountOfPerson(services, provider, person, caller)
  if ('code' in account) return await refuse(account)
  return (await opened(services, provider, account, person, attempt, caller)) ?? { error: 'expired' }
}

type Refuse = (refusal: Pick<Refusal, 'reason'> & { code: string }) => Promise<SsoFailure>

/** Connects the account of somebody who is signed in, whatever its e-mail address is. */
async function endLink(
  services: Services,
  provider: SsoProvider,
  { session, returnTo }: Attempt,
  person: OidcPerson,
  caller: Caller,
  refuse: Refuse
): Promise<SsoOutcome> {
  const [owner] = session === null ? [] : await ownerOfSession(services.db, { session })
  const actor =
    owner &&
    (await actorOfSession(services.db, { session: session!, population: provider.population, account: owner.user_id }))
  if (!actor) return { error: 'expired' }
  const unfit = addressRefusal(provider, person)
  if (unfit) return await refuse(unfit)
  const refusal = await act<Refusal | undefined>(services, { actor, caller }, act =>
    linked(act, provider, person.subject, actor)
  )
  return refusal ? await refuse(refusal) : { returnTo }
}

/** Opens a session, or asks for the second factor, which a provider replaces only where admins trust it. */
async function opened(
  services: Services,
  provider: SsoProvider,
  account: AnyAccount,
  person: OidcPerson,
  { returnTo }: Attempt,
  caller: Caller
): Promise<SsoOutcome | undefined> {
  const hasProviderFactor = hasFactor(provider, person)
  if (account.two_factor_enabled && !hasProviderFactor) {
    const tempToken = await issueChallenge(services, { ...account, provider: provider.id })
    return tempToken === undefined ? undefined : { tempToken, returnTo }
  }
  // Roles may have changed since, but nobody may have taken the account back: that sets a password.
  const current = await accountById(services.db, account)
  if (current?.password !== account.password) return undefined
  const tokens = await act(services, auditActorOfAccount(current, caller), async act => {
    const tokens = await openProviderSession(services, act.db, current, caller, { hasProviderFactor })
    if (tokens) recordSignIn(act, current, 'provider')
    return tokens
  })
  return tokens && { tokens, returnTo }
}

const ownerOfSession = prepared((db, p: { session: number }) =>
  db.selectFrom('sessions').where('id', '=', p.session).where('ended_at', 'is', null).select(['user_id', 'user_type'])
)
