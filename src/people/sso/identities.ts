import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Account } from '../../core/sessions/sessions.ts'
import type { Population } from '../../core/tables/columns.ts'
import { whileThere } from './providers.ts'

export interface Identity {
  id: number
  slug: string
  name: string
  created_at: Date
  last_used_at: Date | null
}

/** The accounts at providers that are connected with this one, oldest first. */
export async function identitiesOf(db: Db, { population, id }: Account): Promise<Identity[]> {
  return await listed(db, { population, account: id })
}

/** The account that somebody at a provider has here. */
export async function ownerOf(db: Db, provider: number, subject: string): Promise<Account | undefined> {
  const [owner] = await bySubject(db, { provider, subject })
  return owner && { population: owner.user_type, id: owner.user_id }
}

/** Connects an account; false if it, or the one at the provider, is connected otherwise, or the provider is gone. */
export async function connect(
  db: Db,
  provider: number,
  subject: string,
  account: Account,
  now: Date
): Promise<boolean> {
  const { population, id } = account
  const [connected] = await insert(db, { provider, subject, population, account: id, now })
  if (connected) return true
  const owner = await ownerOf(db, provider, subject)
  return owner?.population === population && owner.id === id
}

export async function markUsed(db: Db, provider: number, subject: string, now: Date): Promise<void> {
  await touch(db, { provider, subject, now })
}

export async function disconnect(db: Db, { population, id }: Account, identity: number): Promise<boolean> {
  return (await remove(db, { population, account: id, id: identity })).length > 0
}

const bySubject = prepared((db, p: { provider: number; subject: string }) =>
  db
    .selectFrom('sso_identities')
    .where('provider_id', '=', p.provider)
    .where('subject', '=', p.subject)
    .select(['user_type', 'user_id'])
)

const insert = prepared(
  (db, p: { provider: number; subject: string; population: Population; account: number; now: Date }) =>
    db
      .insertInto('sso_identities')
      .columns(['provider_id', 'subject', 'user_type', 'user_id', 'created_at'])
      .expression(
        whileThere(db, p.provider).select([
          'id',
          sql<string>`${p.subject}::text`.as('subject'),
          sql<Population>`${p.population}::text`.as('user_type'),
          sql<number>`${p.account}::bigint`.as('user_id'),
          sql<Date>`${p.now}::timestamptz`.as('created_at')
        ])
      )
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
)

const touch = prepared((db, p: { provider: number; subject: string; now: Date }) =>
  db
    .updateTable('sso_identities')
    .set({ last_used_at: p.now })
    .where('provider_id', '=', p.provider)
    .where('subject', '=', p.subject)
)

const listed = prepared((db, p: { population: Population; account: number }) =>
  db
    .selectFrom('sso_identities as identity')
    .innerJoin('sso_providers as provider', 'provider.id', 'identity.provider_id')
    .where('identity.user_type', '=', p.population)
    .where('identity.user_id', '=', p.account)
    .select(['identity.id', 'provider.slug', 'provider.name', 'identity.created_at', 'identity.last_used_at'])
    .orderBy('identity.id')
)

const remove = prepared((db, p: { population: Population; account: number; id: number }) =>
  db
    .deleteFrom('sso_identities')
    .where('id', '=', p.id)
    .where('user_type', '=', p.population)
    .where('user_id', '=', p.account)
    .returning('id')
)
