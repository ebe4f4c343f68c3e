import { sql } from 'kysely'
import { TooManyAttempts } from '../kit/errors.ts'
import { networkOf } from '../lib/network.ts'
import { type GuessKind, guessLimits } from '../limits.ts'
import type { Db } from '../platform/db/open.ts'
import type { Services } from '../services.ts'

type World = Pick<Services, 'db' | 'clock' | 'config' | 'metrics'>

export interface Guess {
  kind: GuessKind
  /** Whose secret is guessed (see `accountKey`), or who is written to. Never the token or the network address alone. */
  account: string
  /** The network address; left out where only what is sent to an account is counted. */
  ip?: string
}

/**
 * The key under which guesses at an account are counted, whether it exists or not. It is cut to what the table holds: small letters
 * may be more than the capitals that were sent, but no e-mail address of an account is that long.
 */
export function accountKey(population: 'client' | 'staff', emailOrId: string | number): string {
  return `${population}:${String(emailOrId).toLowerCase().slice(0, 300)}`
}

/**
 * Counts a guess before it is judged, in the statement that reads the count, and refuses with 429 + `Retry-After` when
 * there have been too many. It takes the pool, never a transaction: a rollback must not forget the guess.
 */
export async function countGuess({ db, clock, config, metrics }: World, guess: Guess): Promise<void> {
  const now = clock.now()
  const resetsAt = new Date(now.getTime() + config.GUESS_WINDOW_SECONDS * 1000)
  const limits = new Map([[keyOf(guess), config[guessLimits[guess.kind]]]])
  if (guess.ip) limits.set(addressKey(guess.ip), config.MAX_FAILURES_PER_ADDRESS)

  const counted = await db
    .insertInto('guesses')
    // Always in the same order, so that two guesses never wait for one another in a circle.
    .values([...limits.keys()].sort().map(key => ({ key, count: 1, resets_at: resetsAt })))
    .onConflict(conflict =>
      conflict.column('key').doUpdateSet({
        count: sql`case when guesses.resets_at <= ${now} then 1 else least(guesses.count, 1000000000) + 1 end`,
        // Never later than a whole window from now, or a clock that was set back would lock people out for as long.
        resets_at: sql`case when guesses.resets_at <= ${now} then excluded.resets_at
          else least(guesses.resets_at, excluded.resets_at) end`
      })
    )
    .returning(['key', 'count', 'resets_at'])
    .execute()

  const over = counted.filter(({ key, count }) => count > limits.get(key)!)
  if (over.length > 0) {
    for (const { key } of over) metrics.guessLimits.inc({ kind: key === keyOf(guess) ? guess.kind : 'address' })
    const until = Math.max(...over.map(each => each.resets_at.getTime()))
    const seconds = Math.max(1, Math.ceil((until - now.getTime()) / 1000))
    throw TooManyAttempts({ headers: { 'retry-after': String(seconds) } })
  }
}

/** The guess was right: the account starts anew, and the address gets this one back. */
export async function forgiveGuess({ db }: World, guess: Guess): Promise<void> {
  await db.deleteFrom('guesses').where('key', '=', keyOf(guess)).execute()
  if (!guess.ip) return
  await db
    .updateTable('guesses')
    .set({ count: sql`greatest(count - 1, 0)` })
    .where('key', '=', addressKey(guess.ip))
    .execute()
}

/** Forgets all that was counted for these accounts and numbers, and answers how much it was. */
export async function forgetGuesses(db: Db, accounts: string[]): Promise<number> {
  const kinds = Object.keys(guessLimits) as GuessKind[]
  const keys = accounts.flatMap(account => kinds.map(kind => keyOf({ kind, account })))
  const { numDeletedRows } = await db
    .deleteFrom('guesses')
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

function keyOf({ kind, account }: Guess): string {
  return `${kind}:${account}`
}

function addressKey(ip: string): string {
  return `address:${networkOf(ip)}`
}
