import { type Db, prepared } from '../../core/db.ts'
import type { ClientRow } from '../../core/tables/clients.ts'
import { type ClientColumns, clientColumnsOf } from './columns.ts'
import { EmailTaken } from './sign-up.ts'

type StoredClient = ClientColumns &
  Pick<ClientRow, 'id' | 'language' | 'is_active' | 'is_email_verified' | 'is_phone_verified' | 'updated_at'>

/** Stores a changed client. Throws `EmailTaken`, which only the unique index decides; the transaction is aborted then. */
export async function storeClient(db: Db, client: StoredClient): Promise<void> {
  try {
    await update(db, client)
  } catch (error) {
    if (!(error instanceof Error && 'constraint' in error && error.constraint === 'clients_email_key')) throw error
    throw EmailTaken({ errors: ['email'] })
  }
}

const update = prepared((db, p: StoredClient) =>
  db
    .updateTable('clients')
    .set({
      ...clientColumnsOf(p),
      language: p.language,
      is_active: p.is_active,
      is_email_verified: p.is_email_verified,
      is_phone_verified: p.is_phone_verified,
      updated_at: p.updated_at
    })
    .where('id', '=', p.id)
)
