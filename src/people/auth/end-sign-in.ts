import { act } from '../../core/acts/act.ts'
import { auditActorOfAccount } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { endOwnSession } from '../../core/sessions/own-sessions.ts'
import type { Population } from '../../core/tables/columns.ts'
import type { Caller } from '../../kit/caller.ts'
import { type AnyAccount, accountById } from './accounts.ts'

/** Whether the link of an e-mail about a new device still works. */
export async function isEndSignInLink(services: Services, token: string): Promise<boolean> {
  return (await readLink(services, token)) !== undefined
}

/**
 * Ends the session of which an e-mail has told, and forgets its device, so that the next sign-in on it is told as well. Once it has ended this
 * does nothing more. Returns whose it was; undefined for a link that is not valid, or too old.
 */
export async function endSignIn(services: Services, token: string, caller: Caller): Promise<Population | undefined> {
  const link = await readLink(services, token)
  if (!link) return undefined
  const { account, session, device } = link
  const { population, id } = account
  await act(services, auditActorOfAccount(account, caller), async act => {
    await forget(act.db, { device, population, account: id })
    if (!(await endOwnSession(act.db, account, session, services.realClock.now()))) return
    act.happened({ kind: 'session.revoked', subject: { type: population, id }, after: { session_id: session } })
  })
  return population
}

interface Link {
  account: AnyAccount
  session: number
  device: number
}

async function readLink(
  { db, keys, realClock }: Pick<Services, 'db' | 'keys' | 'realClock'>,
  token: string
): Promise<Link | undefined> {
  const claims = keys.verify('end-sign-in', token, realClock.now())
  const account = claims && (await accountById(db, { population: claims.population, id: claims.account }))
  return account && { account, session: claims.session, device: claims.device }
}

const forget = prepared((db, p: { device: number; population: Population; account: number }) =>
  db
    .deleteFrom('known_devices')
    .where('id', '=', p.device)
    .where('user_type', '=', p.population)
    .where('user_id', '=', p.account)
)
