import { type FormEvent, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { useForm } from '../form.ts'
import styles from './account.module.css'
import { ProofField, proofReasons } from './proof-fields.tsx'

interface ReauthenticationFormProps {
  lede: string
  submitLabel: string
  danger?: boolean
  onCredentials: (proof: { password?: string; code?: string }) => Promise<unknown>
  onCancel: () => void
}

/** Asks for the password or a code before an action that a stranger at this computer must not perform. */
export function ReauthenticationForm({
  lede,
  submitLabel,
  danger,
  onCredentials,
  onCancel
}: ReauthenticationFormProps) {
  const [byCode, setByCode] = useState(false)
  const form = useForm({ password: '', code: '' }, { reasons: proofReasons() })

  function submit(event: FormEvent) {
    const { password, code } = form.values
    void form.submit(() => onCredentials(byCode ? { code: code.replace(/\s/g, '') } : { password }), event)
  }

  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <p className={styles.lede}>{lede}</p>
      <ProofField form={form} byCode={byCode} />
      {form.failure && <p role="alert">{form.failure}</p>}
      <div className="row-x wrap">
        <Button variant={danger ? 'confirm' : 'primary'} type="submit" busy={form.isBusy}>
          {submitLabel}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t('account.notNow')}
        </Button>
        <Button variant="quiet" onClick={() => setByCode(!byCode)}>
          {byCode ? t('account.usePassword') : t('account.useCode')}
        </Button>
      </div>
    </form>
  )
}
