import { sql } from 'kysely'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Quarantine, Sweep } from '../../platform/files/sweep.ts'
import { removeRecordedFiles } from './remove-files.ts'

const hourMilliseconds = 3_600_000
const dayMilliseconds = 86_400_000

/** The result of the last sweep, for monitoring. */
export type LastSweep = Pick<Sweep, 'held' | 'otherId' | 'files' | 'unknown' | 'foreign'> & { quarantine: Quarantine }

export interface SweepUploads {
  olderThanMilliseconds: number
  /** Continues even if most files are unknown. */
  evenMostlyUnknown?: boolean
  signal?: AbortSignal
}

/**
 * Quarantines files that no ticket names, because their request was interrupted between storing and committing or because their rows were
 * lost; restores those that a ticket names again; and stores the result in the database.
 */
export async function sweepUploads(services: Services, options: SweepUploads): Promise<Sweep> {
  const { db, files, clock, config, log } = services
  await removeRecordedFiles(services).catch(error =>
    log.warn({ err: error }, 'Deleted files cannot be removed from the store yet')
  )
  const quarantineMilliseconds = config.FILE_QUARANTINE_DAYS * dayMilliseconds
  const sweep = await files.sweep(paths => knownPathsOf(db, paths), { ...options, quarantineMilliseconds })
  const { held, otherId, unknown, foreign } = sweep
  const found: LastSweep = { held, otherId, files: sweep.files, unknown, foreign, quarantine: await files.quarantine() }
  await db
    .updateTable('installation')
    .set({ last_sweep: JSON.stringify(found), swept_at: clock.now() })
    .execute()

  if (held) log.error({ sweep }, `${sweepBlockedReason(found)} ${remedyFor(found)}`)
  else if (sweep.quarantined + sweep.returned + sweep.removed + sweep.unfinished > 0)
    log.info({ sweep }, 'Swept the files')
  return sweep
}

/** Longer than a request may take from its first byte to its commit. */
export function maxRequestMilliseconds({ config }: Pick<Services, 'config'>): number {
  return Math.max(hourMilliseconds, 2000 * config.REQUEST_TIMEOUT_SECONDS)
}

/** Those of these paths that a row names. */
export async function knownPathsOf(db: Services['db'], paths: string[]): Promise<Set<string>> {
  const known = await knownPaths(db, { paths })
  return new Set(known.map(attachment => attachment.file_path))
}

const knownPaths = prepared((db, p: { paths: string[] }) =>
  db
    .selectFrom('ticket_attachments')
    .where('file_path', '=', eb => eb.fn.any(eb.val(p.paths)))
    .select('file_path')
    // Those of replies that have not gone yet.
    .unionAll(waitingPaths(db, 'waiting_replies', p))
    .unionAll(waitingPaths(db, 'waiting_side_messages', p))
)

function waitingPaths(db: Services['db'], table: 'waiting_replies' | 'waiting_side_messages', p: { paths: string[] }) {
  return db
    .selectFrom([table, sql<{ path: string }>`jsonb_to_recordset(files)`.as<'file'>(sql`file (path text)`)])
    .where('file.path', '=', eb => eb.fn.any(eb.val(p.paths)))
    .select('file.path as file_path')
}

/** Why a sweep removed nothing. */
export function sweepBlockedReason({
  held,
  otherId,
  files,
  unknown
}: Pick<LastSweep, 'held' | 'otherId' | 'files' | 'unknown'>) {
  return held === 'another installation'
    ? `The files belong to another installation (${otherId}) than the database: none is removed.`
    : `The database names none of ${unknown} of ${files} files, as an empty or older one would: none is removed.`
}

/** What the operator can do about it. */
export function remedyFor({ held }: Pick<LastSweep, 'held'>): string {
  const force = held === 'mostly unknown' ? ' --force' : ''
  return `Correct DATABASE_URL, DATA_DIR or S3_BUCKET; if this is the right database, run "deskline adopt-files${force}".`
}
