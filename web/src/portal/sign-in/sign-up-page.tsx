import type { FormEvent } from 'react'
import { apiClient, post } from '../../app/api-client.ts'
import { hasReason } from '../../app/failures.ts'
import { useForm } from '../../app/form.ts'
import { completeSignIn } from '../../app/session.ts'
import { type Key, t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { AddressFields } from '../address-fields.tsx'
import { Link, useNavigate } from '../navigation.ts'
import { CardPage } from '../portal-page.tsx'
import styles from './session.module.css'
import { isEmail, isPhone, minPasswordLength } from './validation.ts'

const empty = {
  first_name: '',
  last_name: '',
  email: '',
  password: '',
  company_name: '',
  phone_number: '',
  street_address: '',
  street_address_2: '',
  postcode: '',
  city: '',
  state: ''
}

/** Opens an account with four required fields and some optional ones. */
export function SignUpPage() {
  const navigate = useNavigate()
  const form = useForm(empty, {
    check,
    problems: { email: t('portal-session.notWhole'), phone_number: t('portal-session.phoneNotWhole') },
    reasons: { email_taken: { email: t('portal-session.emailTaken') } }
  })

  function submit(event: FormEvent) {
    void form.submit(async values => {
      const given = Object.entries(values).filter(([name, value]) => name === 'password' || value.trim() !== '')
      await post('/api/auth/signup', Object.fromEntries(given) as typeof empty)
      await apiClient.signIn({ email: values.email, password: values.password, population: 'client' })
      await completeSignIn()
      // If sending fails, the next page can send the code again.
      await post('/api/auth/send-email-verification').catch(() => {})
      await navigate({ to: '/verify', state: { sentAt: Date.now() } })
    }, event)
  }

  const input = (name: keyof typeof empty, label: Key) => ({ label: t(label), ...form.field(name) })
  return (
    <CardPage
      title={t('portal-sign-in.openAnAccount')}
      lede={t('portal-session.signUpLede')}
      below={
        <>
          {t('portal-session.alreadyOne')}{' '}
          <Link to="/sign-in" className="link">
            {t('shared.signIn')}
          </Link>
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <div className={styles.two}>
          <TextField {...input('first_name', 'portal-session.firstName')} autoComplete="given-name" maxLength={100} />
          <TextField {...input('last_name', 'portal-session.lastName')} autoComplete="family-name" maxLength={100} />
        </div>
        <TextField {...input('email', 'shared.email')} type="email" autoComplete="username" maxLength={255} />
        <PasswordField
          {...input('password', 'shared.password')}
          autoComplete="new-password"
          maxLength={255}
          hint={t('portal-session.passwordHint')}
        />
        <TextField
          {...input('company_name', 'portal-session.company')}
          optional
          autoComplete="organization"
          maxLength={150}
        />
        <details className={styles.more}>
          <summary>{t('portal-session.more')}</summary>
          <TextField
            {...input('phone_number', 'portal-session.phone')}
            optional
            type="tel"
            autoComplete="tel"
            maxLength={30}
          />
          <AddressFields field={form.field} />
        </details>
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
        {hasReason(form.cause, 'email_taken') && (
          <p className={styles.ways}>
            <Link to="/sign-in" className="link">
              {t('shared.signIn')}
            </Link>
            <Link to="/forgot" className="link">
              {t('portal-session.forgotTitle')}
            </Link>
          </p>
        )}
        <Button type="submit" variant="primary" size="lg" block busy={form.isBusy}>
          {t('portal-session.openAccount')}
        </Button>
      </form>
    </CardPage>
  )
}

function check({ first_name, last_name, email, password, phone_number }: typeof empty) {
  return {
    first_name: first_name.trim() === '' && t('portal-session.firstNameMissing'),
    last_name: last_name.trim() === '' && t('portal-session.lastNameMissing'),
    email: !isEmail(email) && t('portal-session.notWhole'),
    password: password.length < minPasswordLength && t('portal-session.passwordShort'),
    phone_number: phone_number.trim() !== '' && !isPhone(phone_number) && t('portal-session.phoneNotWhole')
  }
}
