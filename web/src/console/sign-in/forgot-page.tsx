import { type FormEvent, useState } from 'react'
import { AuthPage } from '../../app/auth-page.tsx'
import { failureText } from '../../app/failures.ts'
import { useApiMutation } from '../../app/use-api-mutation.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { PageTitle, useTitle } from '../../ui/page.tsx'
import { Link } from '../router/react.tsx'

/** Always the same answer, whether there is such an account or not. */
export function ForgotPage() {
  useTitle(t('session.forgotTitle'))
  const [email, setEmail] = useState('')
  const forgot = useApiMutation('/api/admin/auth/forgot-password')

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!forgot.isPending) forgot.mutate({ email: email.trim() })
  }

  return (
    <AuthPage
      foot={
        <Link className="link" to="/sign-in">
          {t('session.backToSignIn')}
        </Link>
      }
    >
      <div className="card">
        <PageTitle>{t('session.forgotTitle')}</PageTitle>
        <p className="sub">{t('session.forgotText')}</p>
        {forgot.error && <Banner tone="bad">{failureText(forgot.error)}</Banner>}
        {forgot.isSuccess ? (
          <Banner tone="good">{t('session.forgotSent')}</Banner>
        ) : (
          <form onSubmit={submit}>
            <TextField
              label={t('shared.email')}
              name="email"
              type="email"
              autoComplete="username"
              required
              value={email}
              onChange={setEmail}
            />
            <Button type="submit" variant="primary" size="lg" block busy={forgot.isPending}>
              {t('session.sendLink')}
            </Button>
          </form>
        )}
      </div>
    </AuthPage>
  )
}
