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
  effects: Effect[]
  /** The same as sentences. */
  outcome: string[]
  warnings: string[]
}

interface Effect {
  kind: 'signs_in' | 'connects' | 'creates' | 'refused' | 'roles' | 'roles_stay' | 'no_code'
  /** Whom, why not, which permissions, or which claim is missing. */
  detail: string
  /** Of the roles. */
  deptids: number[]
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
  const result = { claims: claims.slice(0, 100), ...(await findings(services, provider, person)) }
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

async function findings(services: Pick<Services, 'db'>, provider: SsoProvider, person: OidcPerson) {
  const effects = await effectsOf(services, provider, person)
  const sentences = (isWarning: boolean) =>
    effects.filter(({ kind }) => (kind === 'roles_stay') === isWarning).map(sentenceOf)
  return { effects, outcome: sentences(false), warnings: sentences(true) }
}

function sentenceOf({ kind, detail, deptids }: Effect): string {
  const departments = deptids.length > 0 ? ` in the departments ${deptids.join(', ')}` : ''
  switch (kind) {
    case 'signs_in':
      return `Signs in ${detail} (connected)`
    case 'connects':
      return `Finds ${detail} by the e-mail address, and connects them`
    case 'creates':
      return 'Makes a new account'
    case 'refused':
      return `Is refused: ${detail}`
    case 'roles':
      return `Gives the permissions: ${detail || 'none'}${departments}`
    case 'roles_stay':
      return `Roles stay as they are: the claim ${detail} was not sent`
    case 'no_code':
      return 'Is not asked for a second factor here'
  }
}

async function effectsOf({ db }: Pick<Services, 'db'>, provider: SsoProvider, person: OidcPerson): Promise<Effect[]> {
  const effects: Effect[] = []
  const add = (kind: Effect['kind'], detail = '', deptids: number[] = []) => effects.push({ kind, detail, deptids })
  const owner = await ownerOf(db, provider.id, person.subject)
  const connected = owner && (await accountById(db, owner))
  const email = provenEmail(provider, person)
  if (connected) add(connected.is_active ? 'signs_in' : 'refused', connected.is_active ? nameOf(connected) : inactive)
  else if (typeof email !== 'string') add('refused', email.reason)
  else {
    const found = await accountByEmail(db, provider.population, email)
    if (!found) add(provider.create_accounts ? 'creates' : 'refused', provider.create_accounts ? '' : unknown)
    else if (!found.is_active) add('refused', inactive)
    else if (found.population === 'client' && !found.is_email_verified) add('refused', unproven)
    else add('connects', nameOf(found))
  }
  const roles = rolesIn(provider, person.claims)
  if (roles !== undefined) {
    const { permissions, deptids } = grantsOf(provider, roles)
    if (provider.population === 'staff') add('roles', permissions.join(', '), deptids)
  } else if (provider.role_claim !== null) {
    add('roles_stay', provider.role_claim)
  }
  if (hasFactor(provider, person)) add('no_code')
  return effects
}

const inactive = 'The account is deactivated'
const unproven = 'The e-mail address of the account here is not proven'
const unknown = 'There is no account with this e-mail address'

function nameOf({ first_name, last_name }: { first_name: string; last_name: string }): string {
  return `${first_name} ${last_name}`.trim()
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
