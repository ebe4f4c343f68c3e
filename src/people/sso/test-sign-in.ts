import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { OidcPerson } from '../../platform/oidc/oidc.ts'
import { accountByEmail, accountById } from '../auth/accounts.ts'
import { ownerOf } from './identities.ts'
import { grantsOf, hasFactor, provenEmail, rolesIn } from './judge-person.ts'
import type { SsoProvider } from './providers.ts'

/** What a test has found: every claim, and what a sign-in would do. */
export interface TestResult {
  claims: { name: string; value: string }[]
  outcome: string[]
  warnings: string[]
}

const longestValue = 500

/** Keeps what a test at a provider has found, for the admin who began it. Nothing else is saved. */
export async function keepTestResult(
  services: Pick<Services, 'db'>,
  provider: SsoProvider,
  attempt: number,
  person: OidcPerson
): Promise<void> {
  const claims = Object.entries(person.claims).map(([name, value]) => ({
    name: name.slice(0, 200),
    value: (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\0', '').slice(0, longestValue)
  }))
  const result = { claims: claims.slice(0, 100), ...(await effects(services, provider, person)) }
  await keep(services.db, { attempt, result: JSON.stringify(result) })
}

/** Keeps why a test has ended without a sign-in. */
export async function keepTestFailure({ db }: Pick<Services, 'db'>, attempt: number, failed: string): Promise<void> {
  await keep(db, { attempt, result: JSON.stringify({ failed }) })
}

/** What the test of an admin's session has found, or why it failed; undefined until the browser has come back. */
export async function testResult(
  { db }: Pick<Services, 'db'>,
  { attempt, session }: { attempt: number; session: number }
): Promise<TestResult | { failed: string } | undefined> {
  const [found] = await read(db, { attempt, session })
  return (found?.result as TestResult | { failed: string } | null | undefined) ?? undefined
}

async function effects({ db }: Pick<Services, 'db'>, provider: SsoProvider, person: OidcPerson) {
  const outcome: string[] = []
  const warnings: string[] = []
  const owner = await ownerOf(db, provider.id, person.subject)
  const connected = owner && (await accountById(db, owner))
  const email = provenEmail(provider, person)
  if (connected) outcome.push(`Signs in ${connected.first_name} ${connected.last_name} (connected)`)
  else if (typeof email !== 'string') outcome.push(`Is refused: ${email.reason}`)
  else {
    const found = await accountByEmail(db, provider.population, email)
    if (found) outcome.push(`Finds ${found.first_name} ${found.last_name} by the e-mail address, and connects them`)
    else outcome.push(provider.create_accounts ? 'Makes a new account' : 'Is refused: there is no such account')
  }
  const roles = rolesIn(provider, person.claims)
  if (roles !== undefined) {
    const { permissions, deptids } = grantsOf(provider, roles)
    outcome.push(`Gives the permissions: ${permissions.join(', ') || 'none'}`)
    if (deptids.length > 0) outcome.push(`Is a member of the departments ${deptids.join(', ')}`)
  } else if (provider.role_claim !== null) {
    warnings.push(`Roles stay as they are: the claim ${provider.role_claim} was not sent`)
  }
  if (hasFactor(provider, person)) outcome.push('Is not asked for a second factor here')
  return { outcome, warnings }
}

const keep = prepared((db, p: { attempt: number; result: string }) =>
  db
    .updateTable('sso_attempts')
    .set({ result: p.result as never })
    .where('id', '=', p.attempt)
)

const read = prepared((db, p: { attempt: number; session: number }) =>
  db.selectFrom('sso_attempts').where('id', '=', p.attempt).where('session_id', '=', p.session).select('result')
)
