import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useMaybeMe } from '../../app/me.ts'
import { signedIn } from '../../app/session.tsx'
import { SignInForm } from '../../app/sign-in-form.tsx'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Middle } from '../portal-page.tsx'
import { wayBack } from '../shell/signed-in.tsx'
import { emailAtHand, rememberEmail } from './email-at-hand.ts'

/** E-mail and password, then a code where there is a second factor; then to where one was going. */
export function SignInPage() {
  const [, navigate] = useLocation()
  const search = useSearch()
  const me = useMaybeMe()
  const [isPasswordNew] = useState(() => (history.state as { isPasswordNew?: boolean } | null)?.isPasswordNew === true)

  return (
    <Middle
      below={
        <>
          {t('portal-sign-in.newHere')}{' '}
          <Link href="/sign-up" className="link">
            {t('portal-sign-in.openAnAccount')}
          </Link>
        </>
      }
    >
      <SignInForm
        population="client"
        title={t('shared.signIn')}
        sub={t('portal-sign-in.signInLede')}
        knownEmail={emailAtHand() || (me?.email ?? '')}
        onEmail={rememberEmail}
        notice={isPasswordNew && <Banner tone="good">{t('portal-sign-in.passwordChanged')}</Banner>}
        forgot={
          <Link href="/forgot" className="link">
            {t('portal-sign-in.forgotIt')}
          </Link>
        }
        onSignedIn={async () => {
          await signedIn()
          navigate(wayBack(search), { replace: true })
        }}
      />
    </Middle>
  )
}
