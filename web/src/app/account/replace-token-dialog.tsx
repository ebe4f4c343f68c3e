import { type BodyOf, DesklineError } from '@deskline/client'
import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { PasswordField } from '../../ui/field.tsx'
import { useForm } from '../form.ts'
import { FormDialog } from '../form-dialog.tsx'
import type { NewToken } from './token-dialog.tsx'

interface ReplaceTokenDialogProps {
  token: { id: number; name: string }
  onReplace: (body: BodyOf<'/api/account/tokens/replace'>) => Promise<NewToken>
  onReplaced: (made: NewToken) => Promise<unknown>
  onClose: () => void
}

/** Another secret for a token. The password is asked for when the last sign-in is too long ago. */
export function ReplaceTokenDialog({ token: { id, name }, onReplace, onReplaced, onClose }: ReplaceTokenDialogProps) {
  const [asksPassword, setAsksPassword] = useState(false)
  const form = useForm(
    { password: '' },
    {
      reasons: {
        wrong_password: { password: t('account.passwordIsWrong') },
        reauthentication_required: { password: t('account.tokens.passwordNeeded') }
      }
    }
  )

  async function replace({ password }: typeof form.values) {
    try {
      await onReplaced(await onReplace({ id, ...(password ? { password } : {}) }))
    } catch (error) {
      if (error instanceof DesklineError && error.reason === 'reauthentication_required') setAsksPassword(true)
      throw error
    }
  }

  return (
    <FormDialog
      title={t('account.tokens.replaceTitle', { name })}
      form={form}
      saveLabel={t('account.tokens.replace')}
      keepLabel={t('account.notNow')}
      onSave={replace}
      onClose={onClose}
    >
      <p>{t('account.tokens.replaceText')}</p>
      {asksPassword && (
        <PasswordField label={t('account.yourPassword')} autoComplete="current-password" {...form.field('password')} />
      )}
    </FormDialog>
  )
}
