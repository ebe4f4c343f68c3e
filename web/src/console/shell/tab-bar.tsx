import { Inbox, Menu as MenuIcon, Search, Users } from 'lucide-react'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { useRouterLocation } from '../../router/react.tsx'
import type { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { Address } from '../addresses.ts'
import { Link, useNavigate } from '../navigation.ts'
import { useAccountItems } from './account-menu.tsx'
import { isInAdministration, isInClients, navItemsFor } from './nav-items.ts'

const others = ['/search', '/clients', '/organisations', '/macros', '/knowledge', '/reports', '/mail', '/account']

/** The navigation of phones. */
export function TabBar() {
  const me = useMe()
  const navigate = useNavigate()
  const account = useAccountItems()
  const pathname = useRouterLocation(({ path }) => path)
  const isAt = (path: string) => pathname === path || pathname.startsWith(`${path}/`)
  const isInMore = isInAdministration(pathname) || others.slice(3).some(isAt)
  const places = navItemsFor(me).filter(place => place.to !== '/clients')
  const items = [
    ...places.map(({ to, label, icon }) => ({ label, icon, onSelect: () => void navigate({ to }) })),
    { kind: 'separator' as const },
    ...account
  ]
  return (
    <nav className="tab-bar" aria-label={t('console.main')}>
      <Tab to="/" icon={Inbox} label={t('console.tickets')} isCurrent={!others.some(isAt) && !isInMore} />
      <Tab to="/search" icon={Search} label={t('console.search')} isCurrent={isAt('/search')} />
      {me.can('clients.view') && (
        <Tab to="/clients" icon={Users} label={t('console.clients')} isCurrent={isInClients(pathname)} />
      )}
      <Menu
        align="end"
        items={items}
        trigger={trigger => (
          <button {...trigger} type="button" className="tab" aria-current={isInMore || undefined}>
            <MenuIcon size={20} aria-hidden />
            {t('console.more')}
          </button>
        )}
      />
    </nav>
  )
}

function Tab({ to, icon: Shown, label, isCurrent }: { to: Address; icon: Icon; label: string; isCurrent: boolean }) {
  return (
    <Link to={to} className="tab" aria-current={isCurrent ? 'page' : undefined}>
      <Shown size={20} aria-hidden />
      {label}
    </Link>
  )
}
