import { type FormEvent, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { takeEmailLink } from '../../app/email-link.ts'
import { hasReason } from '../../app/failures.ts'
import { useForm } from '../../app/form.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/field.tsx'
import { LinkButton } from '../link-button.tsx'
import { useNavigate } from '../navigation.ts'
import { CardPage } from '../portal-page.tsx'
import { StatePage } from '../state-page.tsx'
import { rememberEmail } from './remembered-email.ts'
import styles from './session.module.css'
import { minPasswordLength } from './validation.ts'

/** The page behind the link of the e-mail: sets a new password for the holder of the link, signed in or not. */
export function ResetPage() {
  const [isOfStaff] = useState(goToConsole)
  const [link] = useState(() => (isOfStaff ? undefined : takeEmailLink()))
  const [isOver, setIsOver] = useState(false)
  if (isOfStaff) return null
  if (!link) return <NoLink kind="missing" />
  if (isOver) return <NoLink kind="over" />
  return <NewPassword {...link} onOver={() => setIsOver(true)} />
}

/** All reset links may lead to one address; those of staff are marked, and redirected to the console. */
function goToConsole(): boolean {
  const isOfStaff = new URLSearchParams(location.search).get('population') === 'staff'
  if (isOfStaff) location.replace(`/desk/reset${location.search}`)
  return isOfStaff
}

function NewPassword({ token, email, onOver }: { token: string; email: string; onOver(): void }) {
  const navigate = useNavigate()
  const form = useForm(
    { new_password: '' },
    {
      check: ({ new_password }) => ({
        new_password: new_password.length < minPasswordLength && t('portal-session.passwordShort')
      })
    }
  )

  function submit(event: FormEvent) {
    void form.submit(async ({ new_password }) => {
      try {
        await post('/api/auth/reset-password', { token, new_password })
      } catch (error) {
        if (hasReason(error, 'reset_token_invalid', 'reset_token_used')) return onOver()
        throw error
      }
      rememberEmail(email)
      await navigate({ to: '/sign-in', state: { isPasswordNew: true } })
    }, event)
  }

  const [before, after] = t('portal-session.resetLede', { address: '\n' }).split('\n')
  return (
    <CardPage
      title={t('portal-session.resetTitle')}
      lede={
        email && (
          <>
            {before}
            <bdi className={styles.target}>{email}</bdi>
            {after}
          </>
        )
      }
    >
      <form onSubmit={submit} noValidate>
        {/* Password managers keep the new password under this name. */}
        <input
          className="visually-hidden"
          type="email"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        <PasswordField
          label={t('portal-session.newPassword')}
          autoComplete="new-password"
          maxLength={255}
          hint={t('portal-session.passwordHint')}
          {...form.field('new_password')}
        />
        {form.failure && (
          <div className={styles.banner}>
            <Banner tone="bad">{form.failure}</Banner>
          </div>
        )}
        <Button type="submit" variant="primary" size="lg" block busy={form.isBusy}>
          {t('portal-session.setPassword')}
        </Button>
      </form>
    </CardPage>
  )
}

function NoLink({ kind }: { kind: 'missing' | 'over' }) {
  const [title, text] =
    kind === 'over'
      ? [t('portal-session.linkOver'), t('portal-session.linkOverText')]
      : [t('portal-session.linkMissing'), t('portal-session.linkMissingText')]
  return (
    <StatePage
      kind="error"
      title={title}
      text={text}
      action={<LinkButton to="/forgot">{t('portal-session.sendNewLink')}</LinkButton>}
    />
  )
}
