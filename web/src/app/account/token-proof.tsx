import { type BodyOf, DesklineError } from '@deskline/client'
import { useState } from 'react'
import { population } from '../../client/client.ts'
import { t } from '../../lib/strings.ts'
import { PasswordField } from '../../ui/field.tsx'
import { useApiQuery } from '../api-queries.ts'
import { failureText, hasReason } from '../failures.ts'
import type { Form } from '../form.ts'
import { isBrowsers, isGivenUp, signByPasskey } from '../sign-on/passkeys.ts'
import styles from './account.module.css'
import { useNeedsProof } from './proof-fields.tsx'

type Given = Pick<BodyOf<'/api/account/tokens/create'>, 'password' | 'passkey'>

/**
 * What shows that it is still the same person, where the last sign-in is too long ago: the password or a passkey, of which one has both, one, or none. `isAsked`:
 * whether it is wanted from the beginning, as far as the page knows.
 */
export function useTokenProof(isAsked: boolean) {
  const needsProof = useNeedsProof()
  const [wasRefused, setRefused] = useState(false)
  const [prefersPassword, setPrefersPassword] = useState<boolean>()
  const { data } = useApiQuery('/api/account/passkeys/list', {})
  const hasPassword = data?.has_password !== 0
  const hasPasskey = data?.passkeys.some(({ is_blocked }) => is_blocked === 0) === true && !data.unavailable_reason
  return {
    isShown: (isAsked && needsProof) || wasRefused,
    hasPassword,
    hasPasskey,
    byPassword: hasPassword && (prefersPassword ?? !hasPasskey),
    choose: setPrefersPassword,
    /** Calls `send` with the proof. */
    async around(password: string, send: (proof: Given) => Promise<void>) {
      try {
        if (this.isShown && hasPasskey && !this.byPassword) await send({ passkey: await signByPasskey(population) })
        else await send(password ? { password } : {})
      } catch (error) {
        if (error instanceof DesklineError && error.reason === 'reauthentication_required') setRefused(true)
        throw error
      }
    }
  }
}

interface TokenProofProps {
  form: Pick<Form<{ password: string }>, 'field'>
  proof: ReturnType<typeof useTokenProof>
}

export function TokenProof({ form, proof }: TokenProofProps) {
  const { isShown, hasPassword, hasPasskey, byPassword, choose } = proof
  if (!isShown) return null
  if (!hasPassword && !hasPasskey) return <p className={styles.hint}>{t('account.tokens.signInAgain')}</p>
  return (
    <div>
      {byPassword ? (
        <PasswordField
          label={t('account.yourPassword')}
          hint={t('account.tokens.passwordFirst')}
          autoComplete="current-password"
          {...form.field('password')}
        />
      ) : (
        <p className={styles.hint}>{t('account.tokens.passkeyFirst')}</p>
      )}
      {hasPassword && hasPasskey && (
        <button type="button" className="link" onClick={() => choose(!byPassword)}>
          {t(byPassword ? 'account.usePasskey' : 'account.usePassword')}
        </button>
      )}
    </div>
  )
}

/** Of a token that was not made. */
export function tokenFailureText(error: unknown): string {
  if (isGivenUp(error)) return t('account.tokens.passkeyGivenUp')
  if (hasReason(error, 'token_replaced')) return t('account.tokens.alreadyReplaced')
  return isBrowsers(error) ? t('account.tokens.passkeyFailed') : failureText(error)
}
