import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'

export const ResetTokenInvalid = failure(401, 'reset_token_invalid', 'The reset token is invalid or has expired')
export const ResetTokenUsed = failure(401, 'reset_token_used', 'The reset token has already been used')

/** An open reset token, with the client whose password it may replace; `email` is the address to which it was sent. */
export interface OpenReset {
  id: number
  client: { population: 'client'; id: number; email: string; first_name: string; last_name: string }
}

/** The open reset of this token, which stays unused. Throws `ResetTokenInvalid`, `ResetTokenUsed`. */
export async function openReset(
  { keys, realClock }: Pick<Services, 'keys' | 'realClock'>,
  db: Db,
  token: string
): Promise<OpenReset> {
  const now = realClock.now()
  const claims = keys.verify('reset', token, now)
  if (!claims) throw ResetTokenInvalid()
  const [row] = await resetById(db, { id: claims.reset })
  if (row?.used_at) throw ResetTokenUsed()
  if (!row || row.voided_at || row.expires_at <= now) throw ResetTokenInvalid()
  const { client_id, email, first_name, last_name } = row
  return { id: row.id, client: { population: 'client', id: client_id, email, first_name, last_name } }
}

const resetById = prepared((db, p: { id: number }) =>
  db
    .selectFrom('reset_tokens')
    .innerJoin('clients', 'clients.id', 'reset_tokens.client_id')
    .where('reset_tokens.id', '=', p.id)
    .select(['reset_tokens.id', 'used_at', 'voided_at', 'expires_at'])
    .select(['client_id', 'reset_tokens.email', 'clients.first_name', 'clients.last_name'])
)
