import { Failure, FileTooLarge, failure, InternalError, StorageFull, Unavailable } from '../kit/errors.ts'
import * as store from '../platform/files/file-store.ts'
import { HashingBusy } from '../platform/secrets/passwords.ts'

/**
 * The only mapper from errors to responses. Declared failures keep their text; errors of the environment become 503 or 507; everything else is a
 * bug, which only the log explains.
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

/** Not declared by endpoints, since any endpoint that refers to a row may meet it, as any may lose the database. */
const Gone = failure(
  409,
  'deleted_meanwhile',
  'Something that this request refers to has been deleted meanwhile. Please reload'
)

const missingReference = '23503'

/**
 * A foreign key violation: the row was deleted after it was checked, such as the calling or named member of staff, or a ticket. The database
 * checks this for every statement.
 */
function isGone(error: unknown): boolean {
  if (codeOf(error) !== missingReference || !(error instanceof Error) || !('detail' in error)) return false
  return /\) is not present in table "/.test(String(error.detail))
}

const diskFull = '53100'
/**
 * The errors of a database that may serve us again soon: the connection breaks (08), logins are refused (28), it lacks memory, connections or
 * disk (53), it shuts down or cancels a statement (57), its disk fails (58), it is read-only (25006), a lock timeout (55P03), or a conflict of
 * two transactions (40001, 40P01).
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

/** The database is gone, restarting, read-only, full of connections, or cancelled a statement that waited or ran too long. */
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
