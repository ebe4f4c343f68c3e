import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'

export const WebhookUrlRefused = failure(400, 'webhook_url_refused', 'Webhooks cannot be sent to this URL')

/**
 * The URL as it is stored. Throws `WebhookUrlRefused` if it is invalid, contains credentials, does not resolve, or leads into a network that is
 * not allowed.
 */
export async function checkedUrl({ outgoing }: Pick<Services, 'outgoing'>, given: string): Promise<string> {
  const url = URL.parse(given)
  if (!url || !/^https?:$/.test(url.protocol)) throw refused('The address must begin with https://')
  if (url.username || url.password) throw refused('The address must not hold a name and password')
  url.hash = ''
  if (url.href.length > 2048) throw refused('The address is too long')
  const refusal = await outgoing.refusal(url)
  if (refusal) throw refused(refusal)
  return url.href
}

function refused(message: string) {
  return WebhookUrlRefused({ message, errors: ['url'] })
}
