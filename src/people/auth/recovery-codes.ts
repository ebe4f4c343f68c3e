import { randomBytes } from 'node:crypto'
import type { Actor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Keys } from '../../core/keys.ts'
import type { Services } from '../../core/services.ts'
import type { Account } from '../../core/sessions/sessions.ts'
import type { Population } from '../../core/tables/columns.ts'
import type { Caller } from '../../kit/caller.ts'
import { lockFactor } from './account-changes.ts'

const codesAtOnce = 10
const charactersInCode = 10
/** 32 characters without look-alikes (Crockford's Base32): a code has 50 bits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Creates ten codes, each of which replaces the authenticator once; former codes become void. They are shown only here. Undefined if the
 * encrypted secret that the caller has verified is no longer active.
 */
export async function replaceRecoveryCodes(
  services: Services,
  actor: Actor,
  secret: string,
  caller: Caller
): Promise<string[] | undefined> {
  const codes = Array.from({ length: codesAtOnce }, newCode)
  const digests = codes.map(code => services.keys.digest(purpose(actor), code))

  return await act(services, { actor, caller }, async act => {
    const { db } = act
    // Locked, so that concurrent calls run one after the other, and turning the factor off also deletes these codes.
    if (!(await lockFactor(db, actor, { secret }))) return undefined
    const column = columns[actor.population]
    await db.deleteFrom('recovery_codes').where(column, '=', actor.id).execute()
    await db
      .insertInto('recovery_codes')
      .values(digests.map(digest => ({ user_type: actor.population, user_id: actor.id, digest, created_at: act.now })))
      .execute()
    act.happened({
      kind: 'recovery_codes.made',
      subject: { type: actor.population, id: actor.id },
      after: { count: codes.length }
    })
    return codes.map(shown)
  })
}

/** Parses a typed recovery code, in any case, with or without the dash; undefined if it is none. */
export function readRecoveryCode(typed: string): string | undefined {
  const code = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return code.length === charactersInCode && [...code].every(each => alphabet.includes(each)) ? code : undefined
}

/** Consumes a recovery code. Of several concurrent uses only one returns true. */
export async function useRecoveryCode(keys: Keys, db: Db, account: Account, code: string, now: Date): Promise<boolean> {
  const digests = keys.digests(purpose(account), code)
  const used = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where(columns[account.population], '=', account.id)
    .where('digest', 'in', digests)
    .where('used_at', 'is', null)
    .returning('id')
    .execute()
  return used.length > 0
}

/** The number of the account's unused codes. */
export async function recoveryCodesLeft(db: Db, { population, id }: Account): Promise<number> {
  const [left] = await unused[population](db, { id })
  return left!.count
}

/** Binds a digest to one account. */
function purpose({ population, id }: Account): string {
  return `recovery ${population} ${id}`
}

function newCode(): string {
  return Array.from(randomBytes(charactersInCode), byte => alphabet[byte % alphabet.length]).join('')
}

function shown(code: string): string {
  return `${code.slice(0, charactersInCode / 2)}-${code.slice(charactersInCode / 2)}`
}

const columns = { client: 'client_id', staff: 'staff_id' } as const

const unused = { client: counting('client'), staff: counting('staff') }

function counting(population: Population) {
  return prepared((db, p: { id: number }) =>
    db
      .selectFrom('recovery_codes')
      .where(columns[population], '=', p.id)
      .where('used_at', 'is', null)
      .select(db => db.fn.countAll<number>().as('count'))
  )
}
