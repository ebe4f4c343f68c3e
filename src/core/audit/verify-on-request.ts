import { failure } from '../../kit/errors.ts'
import type { Services } from '../services.ts'
import { verifyAudit } from './verify-audit.ts'

/** The response: whether the log is intact, up to which row it is, and the first broken row. */
export interface AuditState {
  is_whole: 0 | 1
  sealed_up_to: number | null
  broken_id: number | null
}

export const AlreadyVerifying = failure(
  429,
  'audit_being_verified',
  'Another verification of the audit log is running. Please try again shortly'
)

export const AuditTooLong = failure(
  503,
  'audit_too_long',
  'The audit log is too long to verify within a request. Run deskline audit verify on the server'
)

const running = new WeakSet<Services>()
const retryAfterSeconds = 10
/** Less than the usual time limit of proxies. A hundred thousand rows take about five seconds. */
const maxMilliseconds = 58_000

/**
 * Verifies the audit log within a request, until `signal` is aborted. The work grows with the log and needs a database connection, so each process
 * runs only one verification at a time, and stops after a time limit. Throws `AlreadyVerifying`, `AuditTooLong`.
 */
export async function verifyOnRequest(
  services: Services,
  signal: AbortSignal,
  withinMilliseconds = maxMilliseconds
): Promise<AuditState> {
  if (running.has(services)) {
    throw AlreadyVerifying({ headers: { 'retry-after': String(retryAfterSeconds) } })
  }
  running.add(services)
  const tooLong = new AbortController()
  const timer = setTimeout(() => tooLong.abort(AuditTooLong()), withinMilliseconds)
  try {
    const verdict = await verifyAudit(services, { signal: AbortSignal.any([signal, tooLong.signal]) })
    if (verdict.isIntact) return { is_whole: 1, sealed_up_to: verdict.rows || null, broken_id: null }
    // If the log is empty, its fault counts as one of the first row.
    const broken = Math.max(verdict.rowId, 1)
    return { is_whole: 0, sealed_up_to: broken - 1 || null, broken_id: broken }
  } finally {
    clearTimeout(timer)
    running.delete(services)
  }
}
