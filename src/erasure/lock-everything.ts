import { sql } from 'kysely'
import { type Act, type ActServices, act, type By } from '../acts/act.ts'
import { ClientNotFound } from '../clients/client-record.ts'
import { lockClient } from '../clients/lock-client.ts'
import { type Db, prepared } from '../db.ts'

/** A client who is about to be erased, with the ids of all their tickets, in the trash or merged away as well. */
export interface Everything {
  id: number
  email: string
  phone_number: string
  is_active: boolean
  version: number
  tickets: number[]
}

const patienceMilliseconds = 500
const tries = 20

/**
 * Does `work` as an act that locks the client and all their tickets: nobody adds anything to them meanwhile, and what was being
 * added before is there. The client first and the tickets after, as everybody does who changes several; only then the client so that
 * no row can refer to them any more, for whoever writes a message has its ticket locked until it does. Where two stand in one another's
 * way nevertheless, this one gives way and begins anew, before the database has to choose. Throws `ClientNotFound`.
 */
export async function withEverythingLocked<T>(
  services: ActServices,
  by: By,
  id: number,
  work: (act: Act, everything: Everything) => Promise<T>
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act(services, by, async act => {
        const { db } = act
        await setPatience(db, patienceMilliseconds)
        if (!(await lockClient(db, id))) throw ClientNotFound()
        const tickets = await ticketsLocked(db, { id })
        const [client] = await clientLockedWhole(db, { id })
        if (!client) throw ClientNotFound()
        return await work(act, { ...client, tickets: tickets.map(ticket => ticket.id) })
      })
    } catch (error) {
      if (attempt === tries || !isInTheWay(error)) throw error
    }
  }
}

/** Waits for others as long as it takes from here on: for what is only ever taken last. */
export async function beAsPatientAsOthers(db: Db): Promise<void> {
  await setPatience(db, 0)
}

async function setPatience(db: Db, milliseconds: number): Promise<void> {
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
