import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { migrations } from '../../../migrations/index.ts'
import type { Services } from '../../core/services.ts'
import { cached } from '../../lib/cached.ts'
import { withTimeout } from '../../lib/timeout.ts'
import { schemaState } from '../../platform/db/schema-state.ts'

// Load alone does not take so long: the database is asked on a connection of its own, and a small file is flushed.
const defaultLimits = { databaseMilliseconds: 5_000, filesMilliseconds: 10_000 }
// Cached, since anybody may ask, and checking the store flushes disks.
const databaseForMilliseconds = 1_000
const filesForMilliseconds = 10_000
/** A fault counts once a second look finds it as well, and is looked at again as soon as somebody asks after this time. */
const lookAgainMilliseconds = 500

/** Why requests should go elsewhere. The name is public, the reason is for the log. */
interface Fault {
  name: 'ending' | 'database' | 'schema' | 'outbox' | 'files' | 'workers'
  reason: string
}

/** The faults of this process; empty if it is ready. Never throws. */
export type Readiness = () => Promise<Fault[]>

/** The duty of a process. */
export interface ReadinessScope {
  /** It only runs jobs. Other processes serve requests even if nobody delivers e-mails. */
  onlyJobs?: boolean
}

type Limits = typeof defaultLimits

/**
 * A process is ready if it is not stopping, the database responds in time and is writable, its schema works with this code, a file can be
 * stored, and, if it only runs jobs, e-mails are delivered. Load is no reason: when all processes have much to do, nobody else could help.
 */
export function readinessOf(
  services: Services,
  ending?: AbortSignal,
  duty: ReadinessScope = {},
  limits: Limits = defaultLimits
): Readiness {
  const database = confirmed(databaseForMilliseconds, () => databaseFaults(services, duty, limits))
  const files = confirmed(filesForMilliseconds, () => fileFaults(services, limits))
  let before = ''
  return async () => {
    if (ending?.aborted) return [{ name: 'ending', reason: 'It was told to stop' }]
    const faults = (await Promise.all([database(), files()])).flat()
    const now = faults.map(fault => fault.name).join()
    if (now !== before) logFaults(services, faults)
    before = now
    return faults
  }
}

/** What two looks in a row have found; nothing found is believed for a while. */
function confirmed(forMilliseconds: number, look: () => Promise<Fault[]>): Readiness {
  return cached(
    faults => (faults.length > 0 ? lookAgainMilliseconds : forMilliseconds),
    async () => {
      const first = await look()
      if (first.length === 0) return first
      await pause(lookAgainMilliseconds)
      return await look()
    }
  )
}

function logFaults({ log }: Services, faults: Fault[]): void {
  if (faults.length > 0) log.warn({ faults }, 'Not ready')
  else log.info('Ready again')
}

async function databaseFaults(services: Services, duty: ReadinessScope, limits: Limits): Promise<Fault[]> {
  try {
    return await withTimeout(limits.databaseMilliseconds, stateFaults(services, duty))
  } catch (error) {
    return [{ name: 'database', reason: (error as Error).message }]
  }
}

async function stateFaults({ probe: db, clock, config }: Services, { onlyJobs }: ReadinessScope): Promise<Fault[]> {
  const { rows: sessions } = await sql<{ is_read_only: boolean }>`
    select current_setting('transaction_read_only') = 'on' as is_read_only`.execute(db)
  if (sessions[0]?.is_read_only)
    return [{ name: 'database', reason: 'It takes no writes: it is a standby, or told so' }]
  const { pending, unknown, isCompatible } = await schemaState(db, migrations)
  if (pending.length > 0) return [{ name: 'schema', reason: `Not run: ${pending.join(', ')}` }]
  if (!isCompatible) return [{ name: 'schema', reason: `This version does not work with: ${unknown.join(', ')}` }]
  if (!onlyJobs || config.MAX_OUTBOX_AGE_SECONDS === 0) return []

  // One that waits for a retry is a problem of the receiving server.
  const oldest = await db
    .selectFrom('outbox_messages')
    .where('state', '=', 'queued')
    .where('attempts', '=', 0)
    .select('created_at')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  const seconds = oldest ? (clock.now().getTime() - oldest.created_at.getTime()) / 1000 : 0
  if (seconds <= config.MAX_OUTBOX_AGE_SECONDS) return []
  return [{ name: 'outbox', reason: `Nobody has tried to deliver an e-mail for ${Math.round(seconds)} s` }]
}

async function fileFaults({ files }: Services, limits: Limits): Promise<Fault[]> {
  try {
    await withTimeout(limits.filesMilliseconds, files.check())
    return []
  } catch (error) {
    return [{ name: 'files', reason: (error as Error).message }]
  }
}
