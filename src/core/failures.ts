import { Failure, FileTooLarge, failure, InternalError, StorageFull, Unavailable } from '../kit/errors.ts'
import { isReadOnlyError } from '../platform/db/read-only.ts'
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
  if (error instanceof store.FileStoreUnavailable) return NotAvailable('5')
  if (codeOf(error) === diskFull || codeOf(error) === 'ENOSPC') return StorageFull()
  if (isGone(error)) return DeletedMeanwhile()
  if (error instanceof HashingBusy || isBusyDatabase(error)) return Unavailable({ headers: { 'retry-after': '2' } })
  if (isLostDatabase(error)) return NotAvailable('2')
  return InternalError()
}

/** The same refusal for what is not busy, but gone: whoever reads it should not believe that less load would help. */
function NotAvailable(retryAfterSeconds: string): Failure {
  const message = 'The service is not available at the moment. Please try again shortly'
  return Unavailable({ message, headers: { 'retry-after': retryAfterSeconds } })
}

/** Not declared by endpoints, since any endpoint that refers to a row may meet it, as any may lose the database. */
export const DeletedMeanwhile = failure(
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
 * The errors of a database with too much to do: it lacks memory or connections (53), cancelled a statement that ran too long (57014), a lock
 * timeout (55P03), or a conflict of two transactions (40001, 40P01).
 */
const hasTooMuchToDo = /^(53...|57014|55P03|40001|40P01)$/
/**
 * The errors of a database that may serve us again soon: the connection breaks (08), logins are refused (28), it shuts down (57) or its disk
 * fails (58). The same is true of one that is read-only.
 */
const cannotServe = /^(08|28|57|58)...$/
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

function isBusyDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return hasTooMuchToDo.test(codeOf(error) ?? '') || /^timeout exceeded when trying to connect/i.test(error.message)
}

/** The database is gone, restarting or read-only. */
function isLostDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (cannotServe.test(code ?? '') || isReadOnlyError(error)) return true
  if (lostSockets.includes(code ?? '') && 'syscall' in error && error.syscall === 'connect') return true
  if (code === 'ECONNRESET' || code === 'EPIPE') return true
  return /^(Connection terminated|Query read timeout|Client has encountered a connection error|Cannot use a pool after|Client was closed)/i.test(
    error.message
  )
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
