import { LogOut } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { ApiTokens } from '../../app/account/api-tokens.tsx'
import { ConnectedAccounts, useHasConnectedAccounts } from '../../app/account/connected-accounts.tsx'
import { Passkeys } from '../../app/account/passkeys.tsx'
import { PasswordForm } from '../../app/account/password-form.tsx'
import { Sessions } from '../../app/account/sessions.tsx'
import { TwoFactor } from '../../app/account/two-factor.tsx'
import { useApiQuery } from '../../app/api-queries.ts'
import { can, type Profile, useMe } from '../../app/me.ts'
import { QueryState } from '../../app/query-state.tsx'
import { signOut } from '../../app/session.ts'
import { t } from '../../lib/strings.ts'
import { useSearch } from '../../router/react.tsx'
import { Page } from '../../ui/page.tsx'
import { allRights } from '../admin/all-rights.ts'
import { Link } from '../navigation.ts'
import styles from './account.module.css'
import { AwayForm } from './away-form.tsx'
import { EmailSettings } from './email-settings.tsx'
import { PersonalSettings } from './personal-settings.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SignatureForm } from './signature-form.tsx'

type StaffProfile = Extract<Profile, { user_type: 'staff' }>

/** The own account: profile, password, second factor, sessions, e-mails, and what holds in this browser. `?part=emails` leads to that part. */
export function AccountPage() {
  const profile = useApiQuery('/api/account/profile', {})
  const hasConnected = useHasConnectedAccounts()
  return (
    <Page title={t('account.account')}>
      <div className={styles.account}>
        <nav aria-label={t('account.account')} className={styles.nav}>
          <a href="#profile">{t('account.profile')}</a>
          <a href="#away">{t('account.away')}</a>
          {can('tickets.reply') && <a href="#signature">{t('account.signature')}</a>}
          <a href="#passkeys">{t('account.passkeys')}</a>
          {hasConnected && <a href="#connected">{t('account.connected')}</a>}
          <a href="#password">{t('account.password')}</a>
          <a href="#two-factor">{t('account.twoFactor')}</a>
          <a href="#sessions">{t('account.sessions')}</a>
          <a href="#tokens">{t('account.tokens')}</a>
          <a href="#emails">{t('account.emails')}</a>
          <a href="#browser">{t('admin.youHere')}</a>
          <button type="button" onClick={() => void signOut()}>
            <LogOut size={16} aria-hidden /> {t('account.signOut')}
          </button>
        </nav>
        <div className={styles.parts}>
          <QueryState query={profile}>
            {({ profile }) => <Parts profile={profile as StaffProfile} hasConnected={hasConnected} />}
          </QueryState>
        </div>
      </div>
    </Page>
  )
}

function Parts({ profile, hasConnected }: { profile: StaffProfile; hasConnected: boolean }) {
  const all = useApiQuery('/api/departments', {}, { enabled: !profile.departments })
  const departments = profile.departments ?? all.data?.departments
  const { isAdmin } = useMe()
  const rights = allRights(slug => !can(slug) && t('admin.api.notYours'))
  return (
    <>
      <Part id="profile" title={t('account.profile')}>
        <div className={styles.card}>
          <ProfileForm key={profile.version} profile={profile} />
        </div>
      </Part>
      <Part id="away" title={t('account.away')} lede={t('account.awayLede')}>
        <div className={styles.card}>
          <AwayForm />
        </div>
      </Part>
      {can('tickets.reply') && (
        <Part id="signature" title={t('account.signature')} lede={t('account.signatureLede')}>
          <div className={styles.card}>
            <SignatureForm />
          </div>
        </Part>
      )}
      <Part id="passkeys" title={t('account.passkeys')} lede={t('account.passkeysLede')}>
        <div className={styles.card}>
          <Passkeys />
        </div>
      </Part>
      {hasConnected && (
        <Part id="connected" title={t('account.connected')} lede={t('account.connectedLede')}>
          <div className={styles.card}>
            <ConnectedAccounts />
          </div>
        </Part>
      )}
      <Part id="password" title={t('account.password')}>
        <div className={styles.card}>
          <PasswordForm />
        </div>
      </Part>
      <Part id="two-factor" title={t('account.twoFactor')}>
        <div className={styles.card}>
          <TwoFactor isOn={profile.two_factor_enabled === 1} codesLeft={profile.recovery_codes_left} />
        </div>
      </Part>
      <Part id="sessions" title={t('account.sessions')} lede={t('account.sessionsLede')}>
        <div className={styles.card}>
          <Sessions />
        </div>
      </Part>
      <Part id="tokens" title={t('account.tokens')} lede={t('account.tokensLede')}>
        <div className={styles.card}>
          <ApiTokens rights={rights} departments={departments} />
        </div>
        <p className={styles.below}>
          {t('admin.api.insteadOfToken')}{' '}
          {isAdmin && (
            <Link to="/api-access" className="link">
              {t('admin.openApiAccess')}
            </Link>
          )}
        </p>
      </Part>
      <Part id="emails" title={t('account.emails')}>
        <EmailSettings />
      </Part>
      <Part id="browser" title={t('admin.youHere')} lede={t('admin.youHereLede')}>
        <PersonalSettings />
      </Part>
    </>
  )
}

function Part({ id, title, lede, children }: { id: string; title: string; lede?: string; children: ReactNode }) {
  const isWanted = useSearch<{ part?: string }>().part === id
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    const part = section.current
    if (!isWanted || !part) return
    // What stands above it may still be loading, and moves it until somebody uses the page.
    const page = new ResizeObserver(() => part.scrollIntoView())
    page.observe(part.parentElement!)
    const stop = () => page.disconnect()
    for (const used of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
      addEventListener(used, stop, { once: true, passive: true })
    return stop
  }, [isWanted])
  return (
    <section ref={section} id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {lede && <p className={styles.lede}>{lede}</p>}
      {children}
    </section>
  )
}
