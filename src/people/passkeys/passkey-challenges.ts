import { randomBytes } from 'node:crypto'
import { prepared } from '../../core/db.ts'
import { countAll, networkLimits } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import type { Account } from '../../core/sessions/sessions.ts'
import type { Population } from '../../core/tables/columns.ts'
import { secondsAfter } from '../../lib/time.ts'

const challengeSeconds = 300
/** A sign-in page asks for one whenever it is opened. */
const [mostPerNetwork, mostSeconds] = [1000, 300]

export interface PasskeyChallenge {
  id: number
  challenge: string
}

/** A challenge for signing in as one of `population`, or for a new passkey of an account. Throws 429 after too many for one network. */
export async function newChallenge(
  services: Services,
  { population, id }: { population: Population; id?: number },
  ip: string
): Promise<PasskeyChallenge> {
  const { db, realClock } = services
  const limit = { key: 'passkey-challenges-by', kind: 'passkey-challenges', most: mostPerNetwork, seconds: mostSeconds }
  await countAll(services, networkLimits(ip, limit))
  const challenge = randomBytes(32).toString('base64url')
  const now = realClock.now()
  const expiresAt = secondsAfter(now, challengeSeconds)
  const [stored] = await insert(db, { population, account: id ?? null, challenge, now, expiresAt })
  return { id: stored!.id, challenge }
}

/**
 * Uses up the challenge that a browser says it has signed; undefined if there is none, it was used, is too old, or was issued for something
 * else. Whoever only knows the number of a challenge uses up nobody's.
 */
export async function useChallenge(
  { db, realClock }: Pick<Services, 'db' | 'realClock'>,
  { population, id }: { population: Population; id?: Account['id'] },
  challengeId: number,
  clientDataJSON: string
): Promise<string | undefined> {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === undefined) return undefined
  const [used] = await use(db, {
    id: challengeId,
    population,
    account: id ?? null,
    challenge,
    now: realClock.now()
  })
  return used && challenge
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    return typeof data?.challenge === 'string' ? data.challenge.replaceAll('\0', '') : undefined
  } catch {
    return undefined
  }
}

interface NewChallenge {
  population: Population
  account: number | null
  challenge: string
  now: Date
  expiresAt: Date
}

const insert = prepared((db, p: NewChallenge) =>
  db
    .insertInto('passkey_challenges')
    .values({
      user_type: p.population,
      user_id: p.account,
      challenge: p.challenge,
      expires_at: p.expiresAt,
      created_at: p.now
    })
    .returning('id')
)

const use = prepared(
  (db, p: { id: number; population: Population; account: number | null; challenge: string; now: Date }) =>
    db
      .updateTable('passkey_challenges')
      .set({ used_at: p.now })
      .where('id', '=', p.id)
      .where('user_type', '=', p.population)
      .where('user_id', 'is not distinct from', p.account)
      .where('challenge', '=', p.challenge)
      .where('used_at', 'is', null)
      .where('expires_at', '>', p.now)
      .returning('id')
)
