import type { DataOf } from '@deskline/client'
import { Check } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { SavedMessage } from '../../app/account/saved-message.tsx'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText, hasReason } from '../../app/failures.ts'
import { useForm } from '../../app/form.ts'
import { languageOptions } from '../../app/language-options.ts'
import { type Profile, setMe } from '../../app/me.ts'
import { QueryState } from '../../app/query-state.tsx'
import { reloadQueries } from '../../app/reload-queries.ts'
import { type Key, t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Badge } from '../../ui/badge.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { PasswordField, SelectField, TextField } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { AddressFields } from '../address-fields.tsx'
import { useNavigate } from '../navigation.ts'
import styles from './account.module.css'
import { AccountPage, Section } from './account-page.tsx'

type ClientProfile = Extract<Profile, { user_type: 'client' }>

/** The profile. A new e-mail address needs the password, and is verified again. */
export function ProfilePage() {
  const profile = useApiQuery('/api/account/profile')
  return (
    <AccountPage label="account.profile">
      <Section title={t('account.profile')}>
        <QueryState query={profile as Asked} skeleton={<Skeleton rows={4} />}>
          {({ profile }) => <ProfileForm profile={profile} key={profile.version} />}
        </QueryState>
      </Section>
    </AccountPage>
  )
}

/** The portal is for clients only. */
type Asked = Omit<ReturnType<typeof useApiQuery<'/api/account/profile'>>, 'data'> & {
  data: { profile: ClientProfile } | undefined
}

const names = [
  'first_name',
  'last_name',
  'email',
  'phone_number',
  'company_name',
  'street_address',
  'street_address_2',
  'postcode',
  'city',
  'state'
] as const

function ProfileForm({ profile }: { profile: ClientProfile }) {
  const navigate = useNavigate()
  const [isSaved, setIsSaved] = useState(savedVersion === profile.version)
  const initial = Object.fromEntries([
    ...names.map(name => [name, profile[name]]),
    ['language', profile.language ?? ''],
    ['current_password', '']
  ])
  const form = useForm(initial as Record<(typeof names)[number] | 'language' | 'current_password', string>, {
    problems: { email: t('portal-session.notWhole'), phone_number: t('account.phoneUnfit') },
    reasons: {
      wrong_password: { current_password: t('account.passwordIsWrong') },
      email_taken: { email: t('portal-account.emailTaken') }
    },
    failureText: error =>
      hasReason(error, 'version_conflict') ? t('portal-account.changedMeanwhile') : failureText(error)
  })
  const { email } = form.values
  const isNewEmail = email.trim().toLowerCase() !== profile.email.toLowerCase()

  async function save(event: FormEvent) {
    setIsSaved(false)
    let answer: DataOf<'/api/account/profile/update'> | undefined
    await form.submit(async ({ current_password, language, ...values }) => {
      const changes = Object.fromEntries(
        names.filter(name => values[name] !== profile[name]).map(name => [name, values[name]])
      )
      const proof = isNewEmail ? { current_password } : {}
      const own = { language: (language || null) as ClientProfile['language'] }
      const body = { ...changes, ...own, ...proof, expected_version: profile.version }
      answer = await post('/api/account/profile/update', body)
    }, event)
    if (!answer) return
    savedVersion = answer.profile.version
    setIsSaved(true)
    setMe(answer.profile)
    announce(t('account.saved'))
    if (isNewEmail) await sendCode('email')
    else await reloadQueries('/api/account/profile')
  }

  async function sendCode(kind: 'email' | 'phone') {
    try {
      await post(`/api/auth/send-${kind}-verification`)
      await navigate({ to: kind === 'email' ? '/verify' : '/verify/phone', state: { sentAt: Date.now() } })
    } catch (error) {
      toast({ text: failureText(error), tone: 'bad' })
    }
  }

  const input = (name: (typeof names)[number], label: Key) => ({ label: t(label), ...form.field(name) })
  return (
    <form onSubmit={save} noValidate>
      <div className={styles.two}>
        <TextField {...input('first_name', 'account.firstName')} autoComplete="given-name" maxLength={100} />
        <TextField {...input('last_name', 'account.lastName')} autoComplete="family-name" maxLength={100} />
      </div>
      <TextField
        label={t('account.email')}
        type="email"
        autoComplete="email"
        maxLength={255}
        aside={
          !isNewEmail && (
            <Proof
              isProven={profile.is_email_verified === 1}
              label={t('portal-account.verifyByEmail')}
              onProve={() => sendCode('email')}
            />
          )
        }
        {...form.field('email')}
      />
      {isNewEmail && (
        <PasswordField
          label={t('account.currentPassword')}
          hint={t('portal-account.currentPasswordForEmail')}
          autoComplete="current-password"
          maxLength={255}
          {...form.field('current_password')}
        />
      )}
      <TextField
        label={t('account.phone')}
        optional
        type="tel"
        autoComplete="tel"
        maxLength={30}
        aside={
          profile.phone_number !== '' &&
          form.values.phone_number === profile.phone_number && (
            <Proof
              isProven={profile.is_phone_verified === 1}
              label={t('portal-account.verifyByText')}
              onProve={() => sendCode('phone')}
            />
          )
        }
        {...form.field('phone_number')}
      />
      <TextField
        {...input('company_name', 'portal-session.company')}
        optional
        autoComplete="organization"
        maxLength={150}
      />
      <AddressFields field={form.field} />
      <SelectField
        label={t('portal-account.emailLanguage')}
        options={[{ value: '', label: t('portal-account.languageOfDesk') }, ...languageOptions]}
        {...form.field('language')}
      />
      {form.failure && (
        <div className={styles.banner}>
          <Banner tone="bad">{form.failure}</Banner>
        </div>
      )}
      <div className={styles.foot}>
        <Button type="submit" variant="primary" size="lg" busy={form.isBusy} busyLabel={t('account.saving')}>
          {t('account.save')}
        </Button>
        {isSaved && !form.isChanged && <SavedMessage>{t('account.saved')}</SavedMessage>}
      </div>
    </form>
  )
}

/** The form is mounted anew with the saved profile, and still shows "Saved". */
let savedVersion: number | undefined

function Proof({ isProven, label, onProve }: { isProven: boolean; label: string; onProve(): void }) {
  if (isProven)
    return (
      <Badge tone="green" icon={Check}>
        {t('portal-account.verified')}
      </Badge>
    )
  return (
    <button type="button" className="link" onClick={onProve}>
      {label}
    </button>
  )
}
