import { lazy, Suspense } from 'react'
import { Link, useLocation } from 'wouter'
import { useApiQuery } from '../../app/api-queries.ts'
import { useMaybeMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { LogoMark } from '../../ui/logo.tsx'

/** An element of the same size takes its place until it is loaded. */
const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }))

/** The logo and name of the desk, and the navigation. */
export function PortalHeader() {
  const me = useMaybeMe()
  const { data: desk } = useApiQuery('/api/desk', {}, { staleTime: Number.POSITIVE_INFINITY })
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
              <Suspense fallback={<span className="portal-account" />}>
                <AccountMenu />
              </Suspense>
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
