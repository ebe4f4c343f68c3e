import type { Profile } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'

/** What happens after a ticket was sent: the answer comes by e-mail only to a verified address. */
export function sentText(profile: Profile, number: string): string {
  const isVerified = profile.user_type === 'client' && profile.is_email_verified === 1
  return t(isVerified ? 'portal-ticket.sent' : 'portal-ticket.sentUnverified', { number })
}
