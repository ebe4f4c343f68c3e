import type { Db } from '../../core/db.ts'
import { prepared } from '../../core/db.ts'
import type { Account } from '../../core/sessions/sessions.ts'

/** Deletes every passkey of an account, and returns how many. Lock the account first. */
export async function removePasskeys(db: Db, { population, id }: Account): Promise<number> {
  return (await removeAll[population](db, { id })).length
}

const removeAll = {
  client: prepared((db, p: { id: number }) => db.deleteFrom('passkeys').where('client_id', '=', p.id).returning('id')),
  staff: prepared((db, p: { id: number }) => db.deleteFrom('passkeys').where('staff_id', '=', p.id).returning('id'))
}

/** Disconnects a client from all accounts at identity providers. Lock the client first. */
export async function removeIdentities(db: Db, client: number): Promise<void> {
  await disconnectAll(db, { client })
}

const disconnectAll = prepared((db, p: { client: number }) =>
  db.deleteFrom('sso_identities').where('client_id', '=', p.client)
)
