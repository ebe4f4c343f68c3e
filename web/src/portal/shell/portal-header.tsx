import { Suspense } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { lazyPart, whenLoaded } from '../../app/lazy-part.ts'
import { useMaybeMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { useRouterLocation } from '../../router/react.tsx'
import { LogoMark } from '../../ui/logo.tsx'
import { type Address, Link } from '../navigation.ts'

/** An element of the same size takes its place until the page is there. */
const AccountMenu = lazyPart(async () => {
  await whenLoaded()
  return { default: (await import('./account-menu.tsx')).AccountMenu }
})

/** The logo and name of the desk, and the navigation. */
export function PortalHeader() {
  const me = useMaybeMe()
  const { data: desk } = useApiQuery('/api/desk', {}, { staleTime: Number.POSITIVE_INFINITY })
  const name = desk?.name ?? t('portal-shell.support')
  return (
    <header className="portal-head">
      <div>
        <Link to="/" className="portal-brand" aria-current={false}>
          {desk?.logo_url ? <img src={desk.logo_url} alt="" height={26} /> : <LogoMark size={26} />}
          <bdi className="cut">{name}</bdi>
        </Link>
        <nav aria-label={t('portal-shell.main')}>
          <a href="/help" className="portal-link">
            {t('portal-shell.helpCentre')}
          </a>
          <HeadLink to="/" label={t('portal-shell.myTickets')} />
          {me ? (
            <>
              <HeadLink to="/new" label={t('portal-shell.newTicket')} isWide />
              <HeadLink to="/account" label={t('portal-shell.account')} isWide />
              <Suspense fallback={<span className="portal-account" />}>
                <AccountMenu />
              </Suspense>
            </>
          ) : (
            <HeadLink to="/sign-in" label={t('shared.signIn')} />
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

function HeadLink({ to, label, isWide }: { to: Address; label: string; isWide?: boolean }) {
  const isHere = useRouterLocation(({ path }) => isAt(path, to))
  return (
    <Link to={to} className={isWide ? 'portal-link wide' : 'portal-link'} aria-current={isHere ? 'page' : undefined}>
      {label}
    </Link>
  )
}
