import { ChartColumn, MailQuestionMark, MessageSquareText, Settings, Users } from 'lucide-react'
import type { Me } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import type { Icon } from '../../ui/icon.tsx'
import type { Address } from '../addresses.ts'
import { pageAccess } from '../page-access.ts'

export interface NavItem {
  to: Address
  label: string
  icon: Icon
  /** The number in its badge. */
  count?: number | undefined
}

/** The items of the navigation besides the tickets, without those that this person may not see. */
export function navItemsFor(me: Me, heldMails?: number): NavItem[] {
  const places: (NavItem | false)[] = [
    me.can('clients.view') && { to: '/clients', label: t('console.clients'), icon: Users },
    pageAccess.canned(me) && { to: '/canned', label: t('console.canned'), icon: MessageSquareText },
    pageAccess.heldMail(me) && {
      to: '/held-mail',
      label: t('console.heldMail'),
      icon: MailQuestionMark,
      count: heldMails
    },
    pageAccess.counts(me) && { to: '/counts', label: t('console.counts'), icon: ChartColumn },
    { to: administrationOf(me), label: t('console.administration'), icon: Settings }
  ]
  return places.filter(place => place !== false)
}

/** The first page of the administration that this person may see; everybody has personal settings. */
function administrationOf(me: Me): Address {
  if (me.isAdmin) return '/settings'
  if (pageAccess.staff(me)) return '/staff'
  if (pageAccess.departments(me)) return '/departments'
  return '/settings/you'
}

/** The paths for which the item of the administration is current. */
export const administrationPaths = ['/settings', '/staff', '/departments', '/tags', '/webhooks', '/audit', '/trash']
