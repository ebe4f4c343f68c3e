import { type Db, prepared } from '../../core/db.ts'
import { failure } from '../../kit/errors.ts'
import { ClientNotFound } from '../../people/clients/client-record.ts'

export const ClientInactive = failure(409, 'client_inactive', 'The account of this client is not active')

/** Locks the client for whom staff open a ticket. Throws `ClientNotFound`, `ClientInactive`. */
export async function requireActive(db: Db, id: number): Promise<void> {
  const [client] = await lockedClient(db, { id })
  if (!client) throw ClientNotFound()
  if (!client.is_active) throw ClientInactive({ errors: ['client_id'] })
}

const lockedClient = prepared((db, p: { id: number }) =>
  db.selectFrom('clients').where('id', '=', p.id).select(['id', 'is_active']).forNoKeyUpdate()
)
