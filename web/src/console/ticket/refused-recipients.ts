import { DesklineError } from '@deskline/client'

/** The row of recipients that the service has refused, and why. */
export function refusedRecipients(error: unknown): { field: 'to' | 'cc' | 'bcc'; text: string } | undefined {
  if (!(error instanceof DesklineError) || error.status !== 400) return undefined
  const field = /^(to|bcc|cc)(?:_once)?:/.exec(error.message)?.[1] as 'to' | 'cc' | 'bcc' | undefined
  return field && { field, text: error.message.replace(/^\w+: */, '') }
}
