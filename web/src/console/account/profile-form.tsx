import { type FormEvent, useState } from 'react'
import { SavedMessage } from '../../app/account/saved-message.tsx'
import { post } from '../../app/api-client.ts'
import { failureText, hasReason } from '../../app/failures.ts'
import { useForm } from '../../app/form.ts'
import { languageOptions } from '../../app/language-options.ts'
import type { Profile } from '../../app/me.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { reloadMe } from '../../app/session.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import styles from './account.module.css'

/** Name and phone of a member of staff. Only admins change the e-mail address. */
export function ProfileForm({ profile }: { profile: Extract<Profile, { user_type: 'staff' }> }) {
  const { first_name, last_name, phone_number, email, language } = profile
  const [version, setVersion] = useState(profile.version)
  const [isSaved, setSaved] = useState(false)
  const form = useForm(
    { first_name, last_name, phone_number: phone_number ?? '', language: language ?? '' },
    {
      problems: { phone_number: t('account.phoneUnfit') },
      failureText: error => (hasReason(error, 'version_conflict') ? t('account.changedMeanwhile') : failureText(error))
    }
  )

  async function save(event: FormEvent) {
    setSaved(false)
    const done = await form.submit(async ({ first_name, last_name, phone_number, language }) => {
      const phone = phone_number.trim() || null
      const own = (language || null) as typeof profile.language
      const body = { first_name, last_name, phone_number: phone, language: own, expected_version: version }
      try {
        setVersion((await post('/api/account/profile/update', body)).profile.version)
      } catch (error) {
        if (!hasReason(error, 'version_conflict')) throw error
        // The typed text stays. The next save is based on the version that was loaded now.
        setVersion((await post('/api/account/profile')).profile.version)
        throw error
      }
    }, event)
    if (!done) return
    form.markSaved()
    setSaved(true)
    announce(t('account.saved'))
    void reloadMe()
    void reloadQueries('/api/admin/staff/list', '/api/admin/staff/detail')
  }

  return (
    <form onSubmit={save} className={styles.form} noValidate>
      <div className={styles.two}>
        <TextField label={t('account.firstName')} autoComplete="given-name" {...form.field('first_name')} />
        <TextField label={t('account.lastName')} autoComplete="family-name" {...form.field('last_name')} />
      </div>
      <TextField label={t('account.email')} type="email" value={email} disabledReason={t('account.emailByAdmins')} />
      <TextField label={t('account.phone')} type="tel" optional autoComplete="tel" {...form.field('phone_number')} />
      <SelectField
        label={t('admin.emailLanguage')}
        options={[{ value: '', label: t('admin.languageOfDesk') }, ...languageOptions]}
        {...form.field('language')}
      />
      {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      <div className="row-x wrap">
        <Button variant="primary" type="submit" busy={form.isBusy} busyLabel={t('account.saving')}>
          {t('account.save')}
        </Button>
        {isSaved && !form.isChanged && <SavedMessage>{t('account.saved')}</SavedMessage>}
      </div>
    </form>
  )
}
