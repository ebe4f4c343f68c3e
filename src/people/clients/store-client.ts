import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { ClientRow } from '../../core/tables/clients.ts'
import { isOfClientInOtherSpelling } from '../credentials/other-spellings.ts'
import { type ClientColumns, clientColumnsOf } from './columns.ts'
import { EmailTaken, isKeptForOther } from './sign-up.ts'

type StoredClient = ClientColumns &
  Pick<ClientRow, 'id' | 'language' | 'is_active' | 'is_email_verified' | 'is_phone_verified' | 'updated_at'>

/**
 * Stores a changed client. Throws `EmailTaken`, which the unique index decides, after which the transaction is aborted, or the open change of
 * another client, who still has the former address.
 */
export async function storeClient(db: Db, client: StoredClient): Promise<void> {
  if (await isOfClientInOtherSpelling(db, client.email, client.id)) throw EmailTaken({ errors: ['email'] })
  const stored = await update(db, client).catch(taken)
  if (stored.length === 0) throw EmailTaken({ errors: ['email'] })
}

/** Throws `EmailTaken` for a violation of the unique index on addresses. */
export function taken(error: unknown): never {
  if (!(error instanceof Error && 'constraint' in error && error.constraint === 'clients_email_key')) throw error
  throw EmailTaken({ errors: ['email'] })
}

const update = prepared((db, p: StoredClient) =>
  db
    .updateTable('clients')
    .set({
      ...clientColumnsOf(p),
      former_emails: sql<string[]>`case when is_email_verified and lower(email) <> lower(${p.email})
        then array_append(array_remove(former_emails, lower(email)), lower(email)) else former_emails end`,
      language: p.language,
      is_active: p.is_active,
      is_email_verified: p.is_email_verified,
      is_phone_verified: p.is_phone_verified,
      updated_at: p.updated_at
    })
    .where('id', '=', p.id)
    .where(sql<boolean>`not ${isKeptForOther(p)}`)
    .returning('id')
)
