import { accountOfKey } from '../guessing/guesses.ts'
import { isWithin } from '../guessing/rate-limit.ts'
import { postLetter } from '../letters/post-letter.ts'
import { guessesLetter } from '../letters/words.ts'
import { transaction } from '../platform/db/open.ts'
import type { Services } from '../services.ts'
import { accountByEmail } from './accounts.ts'

const daySeconds = 86_400

/**
 * Tells the owner of an account by e-mail that its password is being guessed at, once a day at most. `key` is that of `accountKey`,
 * and there may be no such account.
 */
export async function warnOfGuesses(services: Services, key: string): Promise<void> {
  const { population, email } = accountOfKey(key)
  const account = await accountByEmail(services.db, population, email)
  if (!account?.is_active) return
  await transaction(services.db, async db => {
    const today = { key: `warned:${key}`, kind: 'warned', most: 1, seconds: daySeconds }
    // Counted in the transaction, so that a letter that could not be posted is tried again.
    if (!(await isWithin({ ...services, db }, today))) return
    await postLetter(services, db, {
      kind: 'password-guesses',
      channel: 'mail',
      recipient: account.email,
      clientId: account.population === 'client' ? account.id : undefined,
      content: guessesLetter()
    })
  })
}
