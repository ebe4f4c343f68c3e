import { DesklineError } from '@deskline/client'
import { t } from '../lib/strings.ts'

/** The failure in the reader's language; the service's text if we have none. */
export function failureText(error: unknown): string {
  if (!(error instanceof DesklineError)) return t('ui.failedUnexpectedly')
  if (error.reason === 'network_error') return t(navigator.onLine ? 'ui.failedConnection' : 'ui.failedOffline')
  if (error.status === 403) return t('ui.failedForbidden')
  if (error.status === 404) return t('ui.failedGone')
  if (error.status === 429) return t('ui.failedTooMany', { seconds: Math.ceil(error.retryAfterSeconds ?? 60) })
  if (error.status === 503) return t('ui.failedBusy')
  if (error.reason === 'unexpected_answer' || error.status >= 500) return t('ui.failedUnexpectedly')
  return error.message
}

/** The service's error; undefined for programming errors. */
export function failureOf(error: unknown): DesklineError | undefined {
  return error instanceof DesklineError ? error : undefined
}

/** Whether the service gave this reason. */
export function hasReason(error: unknown, ...reasons: DesklineError['reason'][]): boolean {
  return error instanceof DesklineError && reasons.includes(error.reason)
}
