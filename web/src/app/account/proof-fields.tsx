import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { instantOf } from '../../lib/times.ts'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { useApiQuery } from '../api-queries.ts'
import type { Form } from '../form.ts'
import styles from './account.module.css'

/** A little less than the ten minutes of the service: the rest is for the form. */
const freshMilliseconds = 9 * 60_000

/** Whether the last sign-in is so old that the service wants the password or a code. */
export function useNeedsProof(): boolean {
  const { data } = useApiQuery('/api/account/sessions', {})
  const current = data?.sessions.find(({ current }) => current === 1)
  return current !== undefined && Date.now() - instantOf(current.created_at).getTime() > freshMilliseconds
}

/** What a form tells of a proof that was refused. */
export function proofReasons() {
  return {
    wrong_password: { password: t('account.passwordIsWrong') },
    wrong_two_factor_code: { code: t('account.codeIsWrong') },
    fresh_sign_in_required: { password: t('account.proofNeeded'), code: t('account.proofNeeded') }
  }
}

/** The proof in a form, as the service takes it: one of the two, or none. */
export function proofOf({ password, code }: { password: string; code: string }): { password?: string; code?: string } {
  if (code.trim()) return { code: code.replace(/\s/g, '') }
  return password ? { password } : {}
}

type ProofForm = Pick<Form<{ password: string; code: string }>, 'field' | 'set'>

/** The password, or a code. */
export function ProofField({ form, byCode }: { form: Pick<ProofForm, 'field'>; byCode: boolean }) {
  return byCode ? (
    <TextField
      label={t('account.codeOfApp')}
      inputMode="numeric"
      autoComplete="one-time-code"
      {...form.field('code')}
    />
  ) : (
    <PasswordField label={t('account.yourPassword')} autoComplete="current-password" {...form.field('password')} />
  )
}

/** Asks for the password, or for a code in its place. */
export function ProofFields({ form }: { form: ProofForm }) {
  const [byCode, setByCode] = useState(false)
  return (
    <>
      <p className={styles.hint}>{t('account.proofLede')}</p>
      <ProofField form={form} byCode={byCode} />
      <p>
        <button
          type="button"
          className="link"
          onClick={() => {
            form.set(byCode ? 'code' : 'password', '')
            setByCode(!byCode)
          }}
        >
          {byCode ? t('account.usePassword') : t('account.useCode')}
        </button>
      </p>
    </>
  )
}
