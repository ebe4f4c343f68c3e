import { type FormEvent, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { AuthPage } from '../../app/auth-page.tsx'
import { takeEmailLink } from '../../app/email-link.ts'
import { hasReason } from '../../app/failures.ts'
import { useForm } from '../../app/form.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/field.tsx'
import { PageTitle, useTitle } from '../../ui/page.tsx'
import { Link } from '../navigation.ts'

/** The page behind the link of the e-mail: sets a new password. */
export function ResetPage() {
  useTitle(t('session.resetTitle'))
  const [link] = useState(takeEmailLink)
  const token = link?.token
  const [isDone, setIsDone] = useState(false)
  const form = useForm({ new_password: '' }, { problems: { new_password: t('session.passwordRefused') } })
  const isOver = !token || hasReason(form.cause, 'reset_token_invalid', 'reset_token_used')

  async function submit(event: FormEvent) {
    setIsDone(await form.submit(body => post('/api/admin/auth/reset-password', { token: token!, ...body }), event))
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
        {isDone ? (
          <Banner tone="good">{t('session.resetDone')}</Banner>
        ) : isOver ? (
          <Banner tone="bad">{t('session.linkOver')}</Banner>
        ) : (
          <form onSubmit={submit}>
            <p className="sub">{t('session.resetText')}</p>
            {form.failure && <Banner tone="bad">{form.failure}</Banner>}
            <PasswordField
              label={t('session.newPassword')}
              autoComplete="new-password"
              required
              hint={t('session.passwordHint')}
              {...form.field('new_password')}
            />
            <Button type="submit" variant="primary" size="lg" block busy={form.isBusy}>
              {t('session.setPassword')}
            </Button>
          </form>
        )}
      </div>
    </AuthPage>
  )
}
