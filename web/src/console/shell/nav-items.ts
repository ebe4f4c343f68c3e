import { BookOpen, ChartColumn, Mail, MessageSquareText, Settings, Users } from 'lucide-react'
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
    pageAccess.macros(me) && { to: '/macros', label: t('console.macros'), icon: MessageSquareText },
    pageAccess.knowledge(me) && { to: '/knowledge', label: t('console.knowledge'), icon: BookOpen },
    pageAccess.mail(me) && {
      to: '/mail/held',
      label: t('console.mail'),
      icon: Mail,
      count: heldMails
    },
    pageAccess.reports(me) && { to: '/reports', label: t('console.counts'), icon: ChartColumn },
    pageAccess.administration(me) && { to: '/admin', label: t('console.administration'), icon: Settings }
  ]
  return places.filter(place => place !== false)
}

const administrationPaths = [
  '/admin',
  '/api-access',
  '/audit',
  '/departments',
  '/hours',
  '/settings',
  '/sla',
  '/staff',
  '/tags',
  '/trash',
  '/webhooks'
]

/** Whether this path is that of a page of the administration. */
export function isInAdministration(path: string): boolean {
  return administrationPaths.some(page => path === page || path.startsWith(`${page}/`))
}

/** Whether this path is that of the clients or their organisations. */
export function isInClients(path: string): boolean {
  return /^\/(clients|organisations)(\/|$)/.test(path)
}

/** Where an item is current besides at its own path. */
export const isAtItem: Partial<Record<Address, (path: string) => boolean>> = {
  '/admin': isInAdministration,
  '/clients': isInClients,
  '/mail/held': path => path.startsWith('/mail')
}
