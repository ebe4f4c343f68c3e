import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { auditActorOf } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { Failure, TooManyAttempts } from '../../kit/errors.ts'
import { asciiLowerCase } from '../../lib/ascii-lower-case.ts'
import { secondsAfter } from '../../lib/time.ts'
import { staffAccountByEmail } from '../staff/staff-account.ts'

/** Why a sign-in failed. `locked-out`: refused for too many attempts; `inactive`: the password was right. */
export type SignInFailure = 'password' | 'second-factor' | 'inactive' | 'locked-out'

/** An account's failures of one kind are recorded at once, and then once an hour, however many there are. */
const recordEverySeconds = 3600
const maxAtOnce = 1000

/**
 * Counts a failed sign-in if a staff account was meant, and rethrows what `work` throws. Anybody can cause failures, so they are not recorded
 * one by one: a job records one entry per account and hour. Unknown addresses are counted alike, so that the response time does not reveal
 * who is on the staff.
 */
export async function withFailureCount<T>(
  services: Services,
  staffEmail: string | undefined,
  caller: Caller,
  kindOf: (error: Failure) => SignInFailure | undefined,
  work: () => Promise<T>
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (staffEmail === undefined || !(error instanceof Failure)) throw error
    const kind = error.kind === TooManyAttempts ? 'locked-out' : kindOf(error)
    if (kind !== undefined) {
      await countFailure(services.db, {
        email: asciiLowerCase(staffEmail).slice(0, 300),
        kind,
        now: services.realClock.now(),
        ip: caller.ip.slice(0, 45)
      })
    }
    throw error
  }
}

/** Records the counted failures of real accounts in the audit log, and deletes the others. */
export async function recordSignInFailures(services: Services): Promise<void> {
  const { db, realClock } = services
  const untilNow = { now: realClock.now(), before: secondsAfter(realClock.now(), -recordEverySeconds) }
  await removeRecorded(db, untilNow)
  for (const { email, kind } of await dueFailures(db, { ...untilNow, most: maxAtOnce })) {
    const account = await staffAccountByEmail(db, email)
    if (!account) {
      await removeFailures(db, { email, kind })
      continue
    }
    await act(services, system, async act => {
      const [due] = await takeFailures(act.db, { email, kind, ...untilNow })
      if (!due) return
      const { count, first_at, last_at, ip_address: ip } = due
      const window = { count, from: first_at.toISOString(), to: last_at.toISOString() }
      const subject = { type: 'staff', id: account.id } as const
      act.happened(
        kind === 'locked-out'
          ? { kind: 'staff.locked_out', subject, after: window }
          : { kind: 'staff.sign_in_failed', subject, after: { by: kind, ...window } },
        auditActorOf(system, { ip, requestId: null })
      )
    })
  }
}

interface Failed {
  email: string
  kind: string
  now: Date
  ip: string
}

const countFailure = prepared((db, p: Failed) =>
  db
    .insertInto('sign_in_failures')
    .values({ email: p.email, kind: p.kind, count: 1, first_at: p.now, last_at: p.now, ip_address: p.ip })
    .onConflict(conflict =>
      conflict.columns(['email', 'kind']).doUpdateSet({
        count: sql`least(sign_in_failures.count, 1000000000) + 1`,
        first_at: sql`case when sign_in_failures.count = 0 then excluded.first_at else sign_in_failures.first_at end`,
        last_at: sql`excluded.last_at`,
        ip_address: sql`excluded.ip_address`
      })
    )
)

interface Due {
  email: string
  kind: SignInFailure
  count: number
  first_at: Date
  last_at: Date
  ip_address: string | null
}

interface Window {
  now: Date
  /** Accounts whose failures were recorded after this moment have to wait. */
  before: Date
}

function isDue(p: Window) {
  return sql`count > 0 and (reported_at is null or reported_at <= ${p.before}::timestamptz or reported_at > ${p.now}::timestamptz)`
}

const dueFailures = prepared((db, p: Window & { most: number }) => ({
  compile: () =>
    sql<Pick<Due, 'email' | 'kind'>>`
      select email, kind from sign_in_failures where ${isDue(p)} order by first_at limit ${p.most}`.compile(db)
}))

/** Takes the count and resets it to 0. Of two concurrent callers one gets it. */
const takeFailures = prepared((db, p: Window & { email: string; kind: string }) => ({
  compile: () =>
    sql<Due>`
      with due as (
        select * from sign_in_failures
        where email = ${p.email}::text and kind = ${p.kind}::text and ${isDue(p)} for update)
      update sign_in_failures set count = 0, reported_at = ${p.now}::timestamptz from due
      where sign_in_failures.email = due.email and sign_in_failures.kind = due.kind
      returning due.*`.compile(db)
}))

const removeFailures = prepared((db, p: { email: string; kind: string }) =>
  db.deleteFrom('sign_in_failures').where('email', '=', p.email).where('kind', '=', p.kind)
)

/** Deletes the counts of accounts without a failure since the last record. */
const removeRecorded = prepared((db, p: Window) =>
  db.deleteFrom('sign_in_failures').where('count', '=', 0).where('reported_at', '<=', p.before)
)
