import { sql } from 'kysely'
import { type Act, type ActServices, act, type By } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { ClientNotFound } from '../../people/clients/client-record.ts'
import { lockClient } from '../../people/clients/lock-client.ts'

/** A client about to be erased, with the ids of all their tickets, in the trash or merged too. */
export interface LockedClientData {
  id: number
  email: string
  phone_number: string
  is_active: boolean
  version: number
  tickets: number[]
}

const lockTimeoutMilliseconds = 500
const tries = 20

/**
 * Runs `work` as an act that locks the client and all their tickets: nobody can add to them, and what was being added before has committed.
 * It locks first the client and then the tickets, the usual order; only then does it block new references to the client, because writers of
 * a message lock its ticket first. If it would still deadlock with another transaction, this one times out and retries before the database
 * picks a victim. Throws `ClientNotFound`.
 */
export async function withClientDataLocked<T>(
  services: ActServices,
  by: By,
  id: number,
  work: (act: Act, everything: LockedClientData) => Promise<T>
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act(services, by, async act => {
        const { db } = act
        await setLockTimeout(db, lockTimeoutMilliseconds)
        if (!(await lockClient(db, id))) throw ClientNotFound()
        await ticketsLocked(db, { id })
        const [client] = await clientLockedWhole(db, { id })
        if (!client) throw ClientNotFound()
        // With those that were being opened until the client was locked whole.
        const tickets = await ticketsLocked(db, { id })
        return await work(act, { ...client, tickets: tickets.map(ticket => ticket.id) })
      })
    } catch (error) {
      if (attempt === tries || !isInTheWay(error)) throw error
    }
  }
}

/** From here on waits for locks without a timeout: for locks that are always taken last. */
export async function resetLockTimeout(db: Db): Promise<void> {
  await setLockTimeout(db, 0)
}

async function setLockTimeout(db: Db, milliseconds: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(milliseconds)}, true)`.execute(db)
}

const lockNotAvailable = '55P03'
const deadlockDetected = '40P01'

function isInTheWay(error: unknown): boolean {
  return error instanceof Error && 'code' in error && [lockNotAvailable, deadlockDetected].includes(String(error.code))
}

const ticketsLocked = prepared((db, p: { id: number }) =>
  db.selectFrom('tickets').where('client_id', '=', p.id).select('id').orderBy('id').forUpdate()
)

const clientLockedWhole = prepared((db, p: { id: number }) =>
  db
    .selectFrom('clients')
    .where('id', '=', p.id)
    .select(['id', 'email', 'phone_number', 'is_active', 'version'])
    .forUpdate()
)
