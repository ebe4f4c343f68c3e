import { type FormEvent, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { apiClient, post } from '../../app/api-client.ts'
import { failureText, hasReason } from '../../app/failures.ts'
import { completeSignIn } from '../../app/session.ts'
import { type Key, t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { type FieldErrors, fieldErrorsOf, focusFirstError } from '../field-errors.ts'
import { CardPage } from '../portal-page.tsx'
import styles from './session.module.css'
import { isEmail, isPhone, minPasswordLength } from './validation.ts'

type Name = keyof typeof empty

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

/** Opens an account with four fields; whoever likes gives more. */
export function SignUpPage() {
  const [, navigate] = useLocation()
  const [values, setValues] = useState(empty)
  const [faults, setFaults] = useState<FieldErrors<Name>>({})
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setFailure(undefined)
    const found = check(values)
    setFaults(found)
    if (Object.keys(found).length > 0) return focusFirstError(form)
    setIsBusy(true)
    try {
      const given = Object.entries(values).filter(([name, value]) => name === 'password' || value.trim() !== '')
      await post('/api/auth/signup', Object.fromEntries(given) as typeof empty)
      await apiClient.signIn({ email: values.email, password: values.password, population: 'client' })
      await completeSignIn()
      // The page that asks for the code also sends it again: that it is not sent the first time stops nobody.
      await post('/api/auth/send-email-verification').catch(() => {})
      navigate('/verify', { state: { sentAt: Date.now() } })
    } catch (error) {
      setFailure(error)
      setFaults(fieldErrorsOf(error, refusals))
      focusFirstError(form)
    } finally {
      setIsBusy(false)
    }
  }

  const input = (name: Name, label: Key) => ({
    label: t(label),
    name,
    value: values[name],
    error: faults[name],
    onChange: (value: string) => setValues(former => ({ ...former, [name]: value }))
  })
  return (
    <CardPage
      title={t('portal-sign-in.openAnAccount')}
      lede={t('portal-session.signUpLede')}
      below={
        <>
          {t('portal-session.alreadyOne')}{' '}
          <Link href="/sign-in" className="link">
            {t('shared.signIn')}
          </Link>
        </>
      }
    >
      <form ref={form} onSubmit={submit} noValidate>
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
          <TextField
            {...input('street_address', 'portal-session.street')}
            optional
            autoComplete="address-line1"
            maxLength={255}
          />
          <TextField
            {...input('street_address_2', 'portal-session.street2')}
            optional
            autoComplete="address-line2"
            maxLength={255}
          />
          <div className={styles.postcodeAndCity}>
            <TextField
              {...input('postcode', 'portal-session.postcode')}
              optional
              autoComplete="postal-code"
              maxLength={20}
            />
            <TextField
              {...input('city', 'portal-session.city')}
              optional
              autoComplete="address-level2"
              maxLength={100}
            />
          </div>
          <TextField
            {...input('state', 'portal-session.state')}
            optional
            autoComplete="address-level1"
            maxLength={100}
          />
        </details>
        {failure !== undefined && Object.keys(faults).length === 0 && (
          <Banner tone="bad">{failureText(failure)}</Banner>
        )}
        {hasReason(failure, 'email_taken') && (
          <p className={styles.ways}>
            <Link href="/sign-in" className="link">
              {t('shared.signIn')}
            </Link>
            <Link href="/forgot" className="link">
              {t('portal-session.forgotTitle')}
            </Link>
          </p>
        )}
        <Button type="submit" variant="primary" size="lg" block busy={isBusy}>
          {t('portal-session.openAccount')}
        </Button>
      </form>
    </CardPage>
  )
}

/** What the service says no to, in words for the field. */
const refusals = {
  email_taken: { email: 'portal-session.emailTaken' },
  invalid_fields: { email: 'portal-session.notWhole', phone_number: 'portal-session.phoneNotWhole' }
} as const

function check(values: typeof empty): FieldErrors<Name> {
  const { first_name, last_name, email, password, phone_number } = values
  return {
    ...(first_name.trim() === '' && { first_name: t('portal-session.firstNameMissing') }),
    ...(last_name.trim() === '' && { last_name: t('portal-session.lastNameMissing') }),
    ...(!isEmail(email) && { email: t('portal-session.notWhole') }),
    ...(password.length < minPasswordLength && { password: t('portal-session.passwordShort') }),
    ...(phone_number.trim() !== '' && !isPhone(phone_number) && { phone_number: t('portal-session.phoneNotWhole') })
  }
}
