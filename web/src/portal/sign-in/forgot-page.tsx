import { Mail } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { hasReason } from '../../app/failures.ts'
import { useForm } from '../../app/form.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Link } from '../navigation.ts'
import { CardPage } from '../portal-page.tsx'
import { rememberEmail, rememberedEmail } from './remembered-email.ts'
import styles from './session.module.css'
import { isEmail } from './validation.ts'

/** Requests a link to set a new password. The answer does not reveal whether there is an account. */
export function ForgotPage() {
  const [isSent, setIsSent] = useState(false)
  const form = useForm(
    { email: rememberedEmail() },
    { check: ({ email }) => ({ email: !isEmail(email) && t('portal-session.notWhole') }) }
  )

  async function submit(event: FormEvent) {
    const isAnswered = await form.submit(async ({ email }) => {
      rememberEmail(email)
      await post('/api/auth/forgot-password', { email: email.trim() }).catch(error => {
        if (!hasReason(error, 'account_not_found', 'email_unconfirmed')) throw error
      })
    }, event)
    setIsSent(isAnswered)
  }

  if (isSent) return <LinkSent email={form.values.email.trim()} onOther={() => setIsSent(false)} />
  return (
    <CardPage title={t('portal-session.forgotTitle')} lede={t('portal-session.forgotLede')} below={<BackToSignIn />}>
      <form onSubmit={submit} noValidate>
        <TextField
          label={t('shared.email')}
          type="email"
          autoComplete="username"
          maxLength={255}
          {...form.field('email')}
        />
        {form.failure && (
          <div className={styles.banner}>
            <Banner tone="bad">{form.failure}</Banner>
          </div>
        )}
        <Button type="submit" variant="primary" size="lg" block busy={form.isBusy}>
          {t('portal-session.sendLink')}
        </Button>
      </form>
    </CardPage>
  )
}

function LinkSent({ email, onOther }: { email: string; onOther(): void }) {
  const [before, after] = t('portal-session.linkSent', { address: '\n' }).split('\n')
  return (
    <CardPage
      key="sent"
      title={t('portal-session.linkSentTitle')}
      icon={<Mail size={22} aria-hidden />}
      lede={
        <span role="status">
          {before}
          <bdi className={styles.target}>{email}</bdi>
          {after}
        </span>
      }
      below={<BackToSignIn />}
    >
      <p className={styles.again}>{t('portal-session.notThere')}</p>
      <p className={styles.again}>
        <button type="button" className="link" onClick={onOther}>
          {t('portal-session.anotherAddress')}
        </button>
      </p>
    </CardPage>
  )
}

function BackToSignIn() {
  return (
    <Link to="/sign-in" className="link">
      {t('portal-session.backToSignIn')}
    </Link>
  )
}
