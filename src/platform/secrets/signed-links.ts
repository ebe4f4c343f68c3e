import type { Clock } from '../clock.ts'
import type { KeysOf } from './keys.ts'
import { sameSecret } from './same-secret.ts'

interface World {
  keys: Pick<KeysOf<unknown>, 'digest' | 'digests'>
  realClock: Clock
}

/**
 * The query string of a link that works without a bearer token for some seconds: `facts`, the expiry, and a signature over these and `subject`,
 * which is in the link's path. None may contain a line break.
 */
export function signedQuery(
  { keys, realClock }: World,
  { purpose, subject, facts, seconds }: { purpose: string; subject?: string; facts: Facts; seconds: number }
): URLSearchParams {
  const expires = String(Math.floor(realClock.now().getTime() / 1000) + seconds)
  const signature = keys.digest(purpose, signedText(subject, [...Object.values(facts), expires]))
  return new URLSearchParams({ ...facts, expires, signature })
}

/** The facts of a query that we signed for this purpose and subject and that has not expired; undefined for any other. */
export function verifySignedQuery<const Name extends string>(
  { keys, realClock }: World,
  { purpose, subject, names }: { purpose: string; subject?: string; names: readonly Name[] },
  query: Readonly<Record<string, unknown>>
): Record<Name, string> | undefined {
  const { expires, signature } = query
  const values = [...names.map(name => query[name]), expires]
  if (!values.every(value => typeof value === 'string') || typeof signature !== 'string') return undefined
  // Nothing is parsed before the signature is verified.
  const text = signedText(subject, values)
  if (!keys.digests(purpose, text).some(digest => sameSecret(digest, signature))) return undefined
  if (Number(expires) * 1000 <= realClock.now().getTime()) return undefined
  return Object.fromEntries(names.map((name, at) => [name, values[at]])) as Record<Name, string>
}

type Facts = Readonly<Record<string, string>>

function signedText(subject: string | undefined, values: readonly string[]): string {
  return [...(subject === undefined ? [] : [subject]), ...values].join('\n')
}
