import { type Kysely, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Static } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Account } from '../../core/sessions/sessions.ts'
import type { Population } from '../../core/tables/columns.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { bit } from '../../lib/bit.ts'
import type { Page } from '../../lib/page.ts'
import type { ApiTokenView } from './schemas.ts'

/** An API token that was not revoked; it may have expired lately. */
type ApiToken = Awaited<ReturnType<typeof listed>>[number]

/** A page of an account's tokens, newest first, and their number. */
export async function tokensOf(db: Db, { population, id }: Account, page: Page) {
  return await pageOf(db, { population, owner: id, ...page })
}

/** The same of all accounts, with their owners. */
export async function allTokens(db: Db, page: Page) {
  const { tokens, total } = await pageOf(db, { population: null, owner: null, ...page })
  return { tokens: tokens.map(token => ({ ...tokenView(token), owner: ownerOf(token) })), total }
}

async function pageOf(db: Db, p: Scope & Page) {
  const [tokens, [counted]] = await Promise.all([listed(db, p), counts(db, p)])
  return { tokens, total: counted!.total }
}

/** One of these tokens. */
export async function tokenWithId(db: Db, id: number): Promise<ApiToken> {
  const [token] = await byId(db, { id })
  return token!
}

function ownerOf({ user_type, user_id: id, first_name, last_name, is_service_account }: ApiToken) {
  return { user_type, id, first_name, last_name, is_service_account: bit(is_service_account) }
}

export function tokenView({ is_read_only, created_at, expires_at, ...token }: ApiToken): Static<typeof ApiTokenView> {
  return {
    ...token,
    read_only: bit(is_read_only),
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null
  }
}

interface Scope {
  population: Population | null
  owner: number | null
}

const listed = prepared((db, p: Scope & Page) =>
  shown(tokens(db, p)).orderBy('api_tokens.id', 'desc').limit(p.limit).offset(p.offset)
)

const counts = prepared((db, p: Scope) => tokens(db, p).select(({ fn }) => fn.countAll<number>().as('total')))

const byId = prepared((db, p: { id: number }) =>
  shown(tokens(db, { population: null, owner: null })).where('api_tokens.id', '=', p.id)
)

function tokens(db: Kysely<Tables>, p: Scope) {
  return db
    .selectFrom('api_tokens')
    .innerJoin('sessions', 'sessions.id', 'api_tokens.id')
    .leftJoin('clients', 'clients.id', 'sessions.client_id')
    .leftJoin('staff', 'staff.id', 'sessions.staff_id')
    .where('sessions.ended_at', 'is', null)
    .where(
      sql<boolean>`(${p.population}::text is null or (sessions.user_type, sessions.user_id) = (${p.population}::text, ${p.owner}::bigint))`
    )
}

function shown(query: ReturnType<typeof tokens>) {
  return query
    .select(['api_tokens.id', 'api_tokens.name', 'api_tokens.last_four'])
    .select(sql<Permission[] | null>`api_tokens.permissions`.as('permissions'))
    .select(['api_tokens.is_read_only', 'api_tokens.expires_at', 'api_tokens.last_used_network', 'sessions.created_at'])
    .select(['api_tokens.replaced_by', 'api_tokens.addresses'])
    .select(['sessions.user_type', 'sessions.user_id'])
    .select(({ fn }) => [
      fn.coalesce('staff.first_name', 'clients.first_name', sql.lit('')).as('first_name'),
      fn.coalesce('staff.last_name', 'clients.last_name', sql.lit('')).as('last_name'),
      fn.coalesce('staff.is_service_account', sql.lit(false)).as('is_service_account')
    ])
    .select(db => [
      sql<string | null>`api_tokens.last_used_on::text`.as('last_used_on'),
      sql<{ deptid: number; name: string }[] | null>`case when api_tokens.departments is not null then ${jsonArrayFrom(
        db
          .selectFrom('departments')
          .where('departments.id', '=', sql<number>`any(api_tokens.departments)`)
          .select(['departments.deptid', 'departments.name'])
          .orderBy('departments.id')
      )} end`.as('departments')
    ])
}
