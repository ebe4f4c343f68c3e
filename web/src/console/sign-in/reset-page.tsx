import { type FormEvent, useState } from 'react'
import { AuthPage } from '../../app/auth-page.tsx'
import { takeEmailLink } from '../../app/email-link.ts'
import { failureOf, failureText, hasReason } from '../../app/failures.ts'
import { useApiMutation } from '../../app/use-api-mutation.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/field.tsx'
import { PageTitle, useTitle } from '../../ui/page.tsx'
import { Link } from '../router/react.tsx'

/** Behind the link of the e-mail: a new password. */
export function ResetPage() {
  useTitle(t('session.resetTitle'))
  const [link] = useState(takeEmailLink)
  const token = link?.token
  const [password, setPassword] = useState('')
  const reset = useApiMutation('/api/admin/auth/reset-password')
  const isOver = !token || hasReason(reset.error, 'reset_token_invalid', 'reset_token_used')
  const isRefused = failureOf(reset.error)?.errors.includes('new_password')

  function submit(event: FormEvent) {
    event.preventDefault()
    if (token && !reset.isPending) reset.mutate({ token, new_password: password })
  }

  return (
    <AuthPage
      foot={
        <Link className="link" to={isOver ? '/forgot' : '/sign-in'}>
          {isOver ? t('session.newLink') : t('session.backToSignIn')}
        </Link>
      }
    >
      <div className="card">
        <PageTitle>{t('session.resetTitle')}</PageTitle>
        {reset.isSuccess ? (
          <Banner tone="good">{t('session.resetDone')}</Banner>
        ) : isOver ? (
          <Banner tone="bad">{t('session.linkOver')}</Banner>
        ) : (
          <form onSubmit={submit}>
            <p className="sub">{t('session.resetText')}</p>
            {reset.error && !isRefused && <Banner tone="bad">{failureText(reset.error)}</Banner>}
            <PasswordField
              label={t('session.newPassword')}
              name="new_password"
              autoComplete="new-password"
              required
              hint={t('session.passwordHint')}
              error={isRefused && t('session.passwordRefused')}
              value={password}
              onChange={setPassword}
            />
            <Button type="submit" variant="primary" size="lg" block busy={reset.isPending}>
              {t('session.setPassword')}
            </Button>
          </form>
        )}
      </div>
    </AuthPage>
  )
}
