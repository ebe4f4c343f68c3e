import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { signOut } from '../../app/session.ts'
import { type Key, t } from '../../lib/strings.ts'
import { useRouteId } from '../../router/react.tsx'
import { Button } from '../../ui/button.tsx'
import { type Address, Link } from '../navigation.ts'
import { PortalPage } from '../portal-page.tsx'
import styles from './account.module.css'

const places = [
  { path: '/account', label: 'account.profile' },
  { path: '/account/security', label: 'portal-account.security' },
  { path: '/account/emails', label: 'account.emails' }
] as const satisfies { path: Address; label: Key }[]

/** A page of the account, with links to the others beside it. */
export function AccountPage({ label, children }: { label: Key; children: ReactNode }) {
  const here = useRouteId()
  return (
    <PortalPage title={`${t(label)} · ${t('account.account')}`} heading={t('account.account')}>
      <div className={styles.account}>
        <nav className={styles.nav} aria-label={t('portal-account.accountPlaces')}>
          {places.map(({ path, label }) => (
            <Link key={path} to={path} aria-current={path === here ? 'page' : undefined} className={styles.place}>
              {t(label)}
            </Link>
          ))}
          <Button variant="quiet" size="lg" icon={LogOut} onClick={() => void signOut()}>
            {t('account.signOut')}
          </Button>
        </nav>
        <div className={styles.sections}>{children}</div>
      </div>
    </PortalPage>
  )
}

/** A part of a page of the account, on a card. */
export function Section({ title, lede, children }: { title: string; lede?: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {lede && <p className={styles.lede}>{lede}</p>}
      <div className="card">
        <div className={styles.body}>{children}</div>
      </div>
    </section>
  )
}
