import { type FormEvent, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { AuthPage } from '../../app/auth-page.tsx'
import { useForm } from '../../app/form.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { PageTitle, useTitle } from '../../ui/page.tsx'
import { Link } from '../navigation.ts'

/** The answer is the same whether there is such an account or not. */
export function ForgotPage() {
  useTitle(t('session.forgotTitle'))
  const [isSent, setIsSent] = useState(false)
  const form = useForm({ email: '' })

  async function submit(event: FormEvent) {
    setIsSent(await form.submit(({ email }) => post('/api/admin/auth/forgot-password', { email: email.trim() }), event))
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
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
        {isSent ? (
          <Banner tone="good">{t('session.forgotSent')}</Banner>
        ) : (
          <form onSubmit={submit}>
            <TextField
              label={t('shared.email')}
              type="email"
              autoComplete="username"
              required
              {...form.field('email')}
            />
            <Button type="submit" variant="primary" size="lg" block busy={form.isBusy}>
              {t('session.sendLink')}
            </Button>
          </form>
        )}
      </div>
    </AuthPage>
  )
}
