import { LogOut, Menu as MenuIcon } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { useMaybeMe } from '../../app/me.ts'
import { useDeskQuery } from '../../app/queries.ts'
import { signOut } from '../../app/session.tsx'
import { t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { LogoMark } from '../../ui/logo.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'

/** Whose desk it is, and the ways to the own tickets. */
export function Head() {
  const me = useMaybeMe()
  const { data: desk } = useDeskQuery('/api/desk', {}, { staleTime: Number.POSITIVE_INFINITY })
  const name = desk?.name ?? t('portal-shell.support')
  return (
    <header className="portal-head">
      <div>
        <Link href="/" className="portal-brand">
          {desk?.logo_url ? <img src={desk.logo_url} alt="" height={26} /> : <LogoMark size={26} />}
          <bdi className="cut">{name}</bdi>
        </Link>
        <nav aria-label={t('portal-shell.main')}>
          <HeadLink href="/" label={t('portal-shell.myTickets')} />
          {me ? (
            <>
              <HeadLink href="/new" label={t('portal-shell.newTicket')} isWide />
              <HeadLink href="/account" label={t('portal-shell.account')} isWide />
              <AccountMenu />
            </>
          ) : (
            <HeadLink href="/sign-in" label={t('shared.signIn')} />
          )}
        </nav>
      </div>
    </header>
  )
}

/** Whether `pathname` is this place or below it; the tickets begin at the start page. */
function isAt(pathname: string, href: string): boolean {
  if (href === '/') return pathname === '/' || pathname.startsWith('/tickets')
  return pathname === href || pathname.startsWith(`${href}/`)
}

function HeadLink({ href, label, isWide }: { href: string; label: string; isWide?: boolean }) {
  const [pathname] = useLocation()
  return (
    <Link
      href={href}
      className={isWide ? 'portal-link wide' : 'portal-link'}
      aria-current={isAt(pathname, href) ? 'page' : undefined}
    >
      {label}
    </Link>
  )
}

/** Who is signed in; on phones the ways to the other pages as well. */
function AccountMenu() {
  const me = useMaybeMe()
  const [, navigate] = useLocation()
  if (!me) return null
  const items: MenuItem[] = [
    { label: t('portal-shell.newTicket'), onSelect: () => navigate('/new') },
    { label: t('portal-shell.account'), onSelect: () => navigate('/account') },
    { kind: 'separator' },
    { label: t('portal-shell.signOut'), icon: LogOut, onSelect: () => void signOut() }
  ]
  return (
    <Menu
      align="end"
      items={items}
      trigger={trigger => (
        <button
          {...trigger}
          type="button"
          className="portal-account"
          aria-label={t('portal-shell.accountOf', { name: me.name })}
        >
          <span className="wide">
            <Avatar person={{ id: me.id, name: me.name, kind: 'client' }} />
          </span>
          <span className="narrow">
            <MenuIcon size={20} aria-hidden />
          </span>
        </button>
      )}
    />
  )
}
