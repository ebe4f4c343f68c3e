import { sql } from 'kysely'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import type { AnyAccount } from './accounts.ts'

export const SsoRequired = failure(
  403,
  'sso_required',
  'Members of staff sign in with single sign-on or a passkey here, not with a password'
)

/**
 * Throws `SsoRequired` if this account, whose password was right, may not sign in by it. Where the desk wants single sign-on of staff, admins
 * with a second factor may still, and once an admin who was made at a terminal, so that nobody is locked out when the provider fails.
 */
export async function requirePasswordAllowed({ db }: Pick<Services, 'db'>, account: AnyAccount): Promise<void> {
  if (account.population === 'client') return
  if (account.role === 'admin' && account.two_factor_enabled) return
  const [setting] = await ssoRequired(db, {})
  if (setting && (await useOnce(db, { id: account.id })).length === 0) throw SsoRequired()
}

const ssoRequired = prepared(db =>
  db.selectFrom('desk_settings').where('name', '=', 'require_sso_staff').where(sql<boolean>`value = '1'`).select('name')
)

const useOnce = prepared((db, p: { id: number }) =>
  db
    .updateTable('staff')
    .set({ signs_in_once: false })
    .where('id', '=', p.id)
    .where('signs_in_once', '=', true)
    .returning('id')
)
