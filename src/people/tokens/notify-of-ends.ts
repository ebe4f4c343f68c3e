import { sql } from 'kysely'
import { type Db, prepared, transaction } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Population } from '../../core/tables/columns.ts'
import { secondsAfter } from '../../lib/time.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { type AnyAccount, accountById, recipientOf } from '../auth/accounts.ts'

/** So long before its end a token is told of; one that was made for no longer than that is not. */
const daySeconds = 86_400
const noticeSeconds = 14 * daySeconds
const mostAtOnce = 500

/**
 * Tells the owners of API tokens that end within two weeks by e-mail, once each; of those of a service account whoever made them, else all admins.
 * Returns how many were told of.
 */
export async function notifyOfEnds(services: Services): Promise<number> {
  const now = services.realClock.now()
  const due = await ending(services.db, { now, until: secondsAfter(now, noticeSeconds), most: mostAtOnce })
  for (const token of due) {
    await transaction(services.db, async db => {
      const [marked] = await mark(db, { id: token.id })
      if (!marked) return
      for (const owner of await ownersOf(db, token)) await tell(services, db, owner, token, now)
    })
  }
  return due.length
}

type Ending = Awaited<ReturnType<typeof ending>>[number]

async function ownersOf(db: Db, { population, owner, is_service_account, created_by }: Ending): Promise<AnyAccount[]> {
  const makers = is_service_account && created_by !== null ? [created_by] : [owner]
  const accounts = is_service_account && created_by === null ? [] : await activeAccounts(db, population, makers)
  if (accounts.length > 0 || !is_service_account) return accounts
  return await activeAccounts(
    db,
    'staff',
    (await admins(db, {})).map(({ id }) => id)
  )
}

async function activeAccounts(db: Db, population: Population, ids: readonly number[]): Promise<AnyAccount[]> {
  const accounts = await Promise.all(ids.map(id => accountById(db, { population, id })))
  return accounts.filter(account => account?.is_active) as AnyAccount[]
}

// Its name is not told: whoever has signed up with a foreign address could send words of their own there.
async function tell(services: Services, db: Db, owner: AnyAccount, token: Ending, now: Date): Promise<void> {
  const page = token.is_service_account
    ? '/desk/api-access'
    : owner.population === 'staff'
      ? '/desk/account/tokens'
      : '/account/security'
  await addToOutbox(services, db, {
    kind: 'token-ends',
    channel: 'mail',
    recipient: await recipientOf(db, owner),
    clientId: owner.population === 'client' ? owner.id : undefined,
    reader: owner,
    email: {
      template: 'token-ends',
      values: {
        'token.last_four': token.last_four,
        'token.ends_in': wholeDays(token.expires_at!.getTime() - now.getTime()) * daySeconds,
        'token.page': `${services.config.BASE_URL}${page}`
      }
    }
  })
}

function wholeDays(milliseconds: number): number {
  return Math.max(1, Math.round(milliseconds / 1000 / daySeconds))
}

const ending = prepared((db, p: { now: Date; until: Date; most: number }) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('sessions', 'sessions.id', 'api_tokens.id')
    .leftJoin('staff', 'staff.id', 'sessions.staff_id')
    .where('sessions.ended_at', 'is', null)
    .where('is_end_told', '=', false)
    .where('api_tokens.expires_at', '>', p.now)
    .where('api_tokens.expires_at', '<=', p.until)
    .where(sql<boolean>`api_tokens.expires_at - sessions.created_at > interval '14 days'`)
    .select(['api_tokens.id', 'api_tokens.last_four', 'api_tokens.expires_at', 'api_tokens.created_by'])
    .select([sql<Population>`sessions.user_type`.as('population'), 'sessions.user_id as owner'])
    .select(({ fn }) => fn.coalesce('staff.is_service_account', sql.lit(false)).as('is_service_account'))
    .orderBy('api_tokens.id')
    .limit(p.most)
)

const mark = prepared((db, p: { id: number }) =>
  db
    .updateTable('api_tokens')
    .set({ is_end_told: true })
    .where('id', '=', p.id)
    .where('is_end_told', '=', false)
    .returning('id')
)

const admins = prepared(db =>
  db.selectFrom('staff').where('role', '=', 'admin').where('is_active', '=', true).select('id').orderBy('id')
)
