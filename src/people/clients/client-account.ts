import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { ClientRow } from '../../core/tables/clients.ts'
import { inEachSpelling } from '../credentials/other-spellings.ts'
import { clientColumns } from './columns.ts'

/** What login, reset and verification read of a client, secrets included: never sent out as it is. */
export type ClientAccount = { population: 'client' } & Pick<ClientRow, (typeof columns)[number]>

/** The client with that e-mail address, in any case (decision 12), with its domain written in either way. */
export async function clientAccountByEmail(db: Db, email: string): Promise<ClientAccount | undefined> {
  return await inEachSpelling(email, email => byEmail(db, { email }))
}

export async function clientAccountById(db: Db, id: number): Promise<ClientAccount | undefined> {
  const [client] = await byId(db, { id })
  return client
}

const columns = [
  'id',
  ...clientColumns,
  'password',
  'is_active',
  'two_factor_enabled',
  'two_factor_secret',
  'two_factor_pending_secret',
  'is_email_verified',
  'is_phone_verified'
] as const

const population = sql<'client'>`'client'`.as('population')

const byEmail = prepared((db, p: { email: string }) =>
  db.selectFrom('clients').where(sql`lower(email)`, '=', sql`lower(${p.email})`).select(columns).select(population)
)

const byId = prepared((db, p: { id: number }) =>
  db.selectFrom('clients').where('id', '=', p.id).select(columns).select(population)
)
