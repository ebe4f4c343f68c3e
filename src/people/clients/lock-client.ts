import { type Db, prepared } from '../../core/db.ts'

/**
 * Locks the client's row until the transaction `db` ends, so that transactions which issue codes or links, open sessions or set the password
 * of one client run one after the other. False if the client no longer exists. Lock it before any row that belongs to the client: a fixed
 * order prevents deadlocks.
 */
export async function lockClient(db: Db, id: number): Promise<boolean> {
  const locked = await lockRow(db, { id })
  return locked.length === 1
}

/** The same for a client who still has this e-mail address: false as well if it has changed. */
export async function lockClientAt(db: Db, client: { id: number; email: string }): Promise<boolean> {
  const locked = await lockRowAt(db, { id: client.id, email: client.email })
  return locked.length === 1
}

const lockRow = prepared((db, p: { id: number }) =>
  db.selectFrom('clients').where('id', '=', p.id).forNoKeyUpdate().select('id')
)

const lockRowAt = prepared((db, p: { id: number; email: string }) =>
  db.selectFrom('clients').where('id', '=', p.id).where('email', '=', p.email).forNoKeyUpdate().select('id')
)
