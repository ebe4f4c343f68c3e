import { useEffect } from 'react'
import { AuthPage } from '../../app/auth-page.tsx'
import { currentMe } from '../../app/me.ts'
import { useDeskQuery } from '../../app/queries.ts'
import { sessionStarted, signedIn } from '../../app/session.tsx'
import { SignInForm } from '../../app/sign-in-form.tsx'
import { t } from '../../lib/strings.ts'
import { Link, useNavigate, useSearch } from '../router/react.tsx'
import { wayBack } from './way-back.ts'

export function SignInPage() {
  const navigate = useNavigate()
  const { next } = useSearch<{ next?: string }>()
  const { data: branding } = useDeskQuery('/api/desk')

  // Whoever is signed in already, perhaps in another tab, goes on.
  useEffect(() => {
    void sessionStarted()
      .then(() => currentMe() && navigate({ to: wayBack(next), replace: true }))
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
        onSignedIn={async () => {
          await signedIn()
          await navigate({ to: wayBack(next), replace: true })
        }}
      />
    </AuthPage>
  )
}
