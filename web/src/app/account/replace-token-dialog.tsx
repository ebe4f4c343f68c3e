import type { BodyOf } from '@deskline/client'
import { t } from '../../lib/strings.ts'
import { useForm } from '../form.ts'
import { FormDialog } from '../form-dialog.tsx'
import type { NewToken } from './token-dialog.tsx'
import { TokenProof, tokenFailureText, useTokenProof } from './token-proof.tsx'

interface ReplaceTokenDialogProps {
  token: { id: number; name: string }
  onReplace: (body: BodyOf<'/api/account/tokens/replace'>) => Promise<NewToken>
  onReplaced: (made: NewToken) => Promise<unknown>
  onClose: () => void
}

/** Another secret for a token. The password or a passkey is asked for when the last sign-in is too long ago. */
export function ReplaceTokenDialog({ token: { id, name }, onReplace, onReplaced, onClose }: ReplaceTokenDialogProps) {
  const proof = useTokenProof(false)
  const form = useForm(
    { password: '' },
    {
      failureText: tokenFailureText,
      reasons: {
        wrong_password: { password: t('account.passwordIsWrong') },
        reauthentication_required: { password: t('account.tokens.passwordNeeded') }
      }
    }
  )

  async function replace({ password }: typeof form.values) {
    await proof.around(password, async shown => {
      await onReplaced(await onReplace({ id, ...shown }))
    })
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
      <TokenProof form={form} proof={proof} />
    </FormDialog>
  )
}
