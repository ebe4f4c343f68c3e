import { composeEmail, type EmailContent } from './account-emails.ts'

/** Tells an admin that Deskline has turned a webhook off. Of its address the origin alone, which holds no secret. */
export function webhookDisabledEmail(webhook: {
  id: number
  origin: string
  reason: 'gone' | 'failing'
}): EmailContent {
  const reasons = {
    gone: 'Its receiver answered 410, which says that it is gone for good.',
    failing: 'For five days every attempt to deliver to it has failed.'
  }
  return composeEmail('A webhook was turned off', [
    `The webhook ${webhook.id} to ${webhook.origin} was turned off just now. ${reasons[webhook.reason]}`,
    'Nothing is queued for it while it is off. Once its receiver works again, turn the webhook on, and replay what it has missed since.'
  ])
}
