import { type Actor, accountName } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import { failure } from '../../kit/errors.ts'

export const StaffTokensOff = failure(
  403,
  'staff_tokens_off',
  'Staff may not make API tokens for themselves on this desk: a program gets a service account'
)

/** Whether this person may make API tokens for themselves, and for how many days at most; null: for ever. */
export async function tokenPolicy(db: Db, { population }: Pick<Actor, 'population'>) {
  const { staff_tokens, token_longest_days: longestDays } = (await settingsOf(db)).settings
  return { mayMake: population === 'client' || staff_tokens === 1, longestDays }
}

/** For how many days the actor may make a token for this owner; null: for ever, as for service accounts. Throws `StaffTokensOff`. */
export async function longestLifeOf(
  db: Db,
  actor: Actor,
  owner: Pick<Actor, 'population' | 'id'>
): Promise<number | null> {
  if (accountName(actor) !== accountName(owner)) return null
  const { mayMake, longestDays } = await tokenPolicy(db, owner)
  if (!mayMake) throw StaffTokensOff()
  return longestDays
}
