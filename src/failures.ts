import { Failure, FileTooLarge, failure, InternalError, StorageFull, Unavailable } from './kit/errors.ts'
import * as store from './platform/files/file-store.ts'
import { HashingBusy } from './platform/secrets/passwords.ts'

/**
 * The one mapper from anything thrown to what the caller is told. Our own failures say what they say; what the world
 * outside did to us is a 503 or 507; all else is a bug, and only the log explains it.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof store.FileTooLarge) return FileTooLarge()
  if (error instanceof store.FileStoreFull) return StorageFull()
  if (error instanceof store.FileStoreUnavailable) return Unavailable({ headers: { 'retry-after': '5' } })
  if (codeOf(error) === diskFull || codeOf(error) === 'ENOSPC') return StorageFull()
  if (isGone(error)) return Gone()
  if (error instanceof HashingBusy || isLostDatabase(error)) return Unavailable({ headers: { 'retry-after': '2' } })
  return InternalError()
}

/** Not declared by any endpoint, since each that refers to something may meet it, as each may meet a database that is away. */
const Gone = failure(
  409,
  'deleted_meanwhile',
  'Something that this request refers to has been deleted meanwhile. Please reload'
)

const missingReference = '23503'

/**
 * A row was to refer to another that had been deleted since it was looked at: the member of staff who asks or who is named, a ticket.
 * The database refuses this wherever a row refers to another, whoever wrote the statement.
 */
function isGone(error: unknown): boolean {
  if (codeOf(error) !== missingReference || !(error instanceof Error) || !('detail' in error)) return false
  return /\) is not present in table "/.test(String(error.detail))
}

const diskFull = '53100'
/**
 * What a database says that cannot serve us now, and may before long: the connection breaks (08), it lets nobody in (28), is out of
 * memory, connections or room for work (53), is told to stop or stops a statement (57), or its disk fails (58); it takes no writes
 * (25006), gives up the wait for a lock (55P03), or two transactions got into each other's way (40001, 40P01).
 */
const cannotServe = /^((08|28|53|57|58)...|25006|55P03|40001|40P01)$/
const lostSockets = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN'
]

/** The database is gone, restarting, read-only, full of connections, or gave up a statement that waited or ran too long. */
function isLostDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (cannotServe.test(code ?? '')) return true
  if (lostSockets.includes(code ?? '') && 'syscall' in error && error.syscall === 'connect') return true
  if (code === 'ECONNRESET' || code === 'EPIPE') return true
  return /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after|Client was closed)/i.test(
    error.message
  )
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
