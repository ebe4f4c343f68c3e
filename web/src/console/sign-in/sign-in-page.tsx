import { useEffect } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { AuthPage } from '../../app/auth-page.tsx'
import { currentMe } from '../../app/me.ts'
import { completeSignIn, loadSession } from '../../app/session.ts'
import { SignInForm } from '../../app/sign-in-form.tsx'
import { useArrival } from '../../app/sign-on/ways-to-sign-in.ts'
import { t } from '../../lib/strings.ts'
import { useSearch } from '../../router/react.tsx'
import { Link, useNavigate } from '../navigation.ts'
import { returnAddress } from './return-address.ts'

export function SignInPage() {
  const navigate = useNavigate()
  const arrival = useArrival()
  const { next = arrival.returnTo } = useSearch<{ next?: string }>()
  const { data: branding } = useApiQuery('/api/desk')

  // Somebody who is signed in already, perhaps in another tab, continues.
  useEffect(() => {
    void loadSession()
      .then(() => currentMe() && navigate({ to: returnAddress(next), replace: true }))
      .catch(() => {})
  }, [navigate, next])

  return (
    <AuthPage
      foot={
        <>
          {t('session.areYouCustomer')}{' '}
          <a className="link" href="/">
            {t('session.toYourTickets')}
          </a>
        </>
      }
    >
      <SignInForm
        population="staff"
        title={t('session.signInToDesk')}
        sub={branding?.name ? t('session.staffOf', { name: branding.name }) : t('session.forStaff')}
        forgot={
          <Link className="link" to="/forgot">
            {t('session.forgotIt')}
          </Link>
        }
        arrival={arrival}
        returnTo={`/desk${returnAddress(next)}`}
        onSignedIn={async () => {
          await completeSignIn()
          await navigate({ to: returnAddress(next), replace: true })
        }}
      />
    </AuthPage>
  )
}
