import { type Db, prepared } from '../db.ts'

/**
 * Holds the client's row until the transaction `db` is over, so that "a new one voids the older" and "opening a session
 * or resetting the password" happen one after the other. False when there is no such client any more.
 *
 * Take it before any row that belongs to the client: one order for all, or two transactions could wait for one another.
 */
export async function lockClient(db: Db, id: number): Promise<boolean> {
  const locked = await lockRow(db, { id })
  return locked.length === 1
}

/** The same for a client who has this very e-mail address: false as well when it is another one by now. */
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
