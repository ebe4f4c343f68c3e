import { type FormEvent, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/field.tsx'
import { post } from '../api-client.ts'
import { useForm } from '../form.ts'
import { reloadQueries } from '../reload-queries.ts'
import styles from './account.module.css'
import { SavedMessage } from './saved-message.tsx'

/** Changes the password, given the current one. This ends the other sessions. */
export function PasswordForm({ onChanged }: { onChanged?: () => void }) {
  const [ended, setEnded] = useState<number>()
  const form = useForm(
    { current_password: '', new_password: '' },
    {
      problems: { new_password: t('account.passwordRefused') },
      reasons: { wrong_password: { current_password: t('account.passwordIsWrong') } }
    }
  )

  async function change(event: FormEvent) {
    setEnded(undefined)
    const isChanged = await form.submit(async body => {
      const { sessions_ended } = await post('/api/account/password', body)
      setEnded(sessions_ended)
    }, event)
    if (!isChanged) return
    form.reset()
    announce(t('account.passwordChanged'))
    void reloadQueries('/api/account/sessions')
    onChanged?.()
  }

  return (
    <form onSubmit={change} className={styles.form} noValidate>
      <PasswordField
        label={t('account.currentPassword')}
        autoComplete="current-password"
        {...form.field('current_password')}
      />
      <PasswordField
        label={t('account.newPassword')}
        hint={t('account.passwordHint')}
        autoComplete="new-password"
        {...form.field('new_password')}
      />
      {form.failure && <p role="alert">{form.failure}</p>}
      <div className="row-x wrap">
        <Button variant="primary" type="submit" busy={form.isBusy} busyLabel={t('account.saving')}>
          {t('account.changePassword')}
        </Button>
        {ended !== undefined && <SavedMessage>{t('account.changedAndEnded', { count: ended })}</SavedMessage>}
      </div>
    </form>
  )
}
