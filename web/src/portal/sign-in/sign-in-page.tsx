import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useApiQuery } from '../../app/api-queries.ts'
import { useMaybeMe } from '../../app/me.ts'
import { completeSignIn } from '../../app/session.ts'
import { SignInForm } from '../../app/sign-in-form.tsx'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { CenteredCard } from '../portal-page.tsx'
import { returnPath } from '../require-sign-in.tsx'
import { rememberEmail, rememberedEmail } from './remembered-email.ts'

/** E-mail and password, then a code where there is a second factor; then to where one was going. */
export function SignInPage() {
  const [, navigate] = useLocation()
  const search = useSearch()
  const me = useMaybeMe()
  const [isPasswordNew] = useState(() => (history.state as { isPasswordNew?: boolean } | null)?.isPasswordNew === true)

  return (
    <CenteredCard below={<OtherWays />}>
      <SignInForm
        population="client"
        title={t('shared.signIn')}
        sub={t('portal-sign-in.signInLede')}
        knownEmail={rememberedEmail() || (me?.email ?? '')}
        onEmail={rememberEmail}
        notice={isPasswordNew && <Banner tone="good">{t('portal-sign-in.passwordChanged')}</Banner>}
        forgot={
          <Link href="/forgot" className="link">
            {t('portal-sign-in.forgotIt')}
          </Link>
        }
        onSignedIn={async () => {
          await completeSignIn()
          navigate(returnPath(search), { replace: true })
        }}
      />
    </CenteredCard>
  )
}

/** For people who have no account, as far as the desk lets them have one or do without. */
function OtherWays() {
  const { data: desk } = useApiQuery('/api/desk', {}, { staleTime: Number.POSITIVE_INFINITY })
  const mayOpen = desk?.tickets_without_account === 1
  return (
    <>
      {desk?.sign_up !== 0 && (
        <>
          {t('portal-sign-in.newHere')}{' '}
          <Link href="/sign-up" className="link">
            {t('portal-sign-in.openAnAccount')}
          </Link>
        </>
      )}
      {desk?.sign_up !== 0 && mayOpen && ' · '}
      {mayOpen && (
        <Link href="/open" className="link">
          {t('portal-sign-in.withoutAccount')}
        </Link>
      )}
    </>
  )
}
