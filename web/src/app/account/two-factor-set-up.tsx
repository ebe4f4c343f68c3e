import { useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { post } from '../api-client.ts'
import { copyText } from '../copy-text.ts'
import { useForm } from '../form.ts'
import { QueryState } from '../query-state.tsx'
import styles from './account.module.css'
import { QrCode } from './qr-code.tsx'

/**
 * Sets up a second factor: shows the secret, then asks for a code of the app. `onOn` gets that code, which also authorizes the creation of
 * recovery codes. Needs the strings of `account`.
 */
export function TwoFactorSetUp({ onOn, onLeave }: { onOn: (code: string) => void; onLeave?: () => void }) {
  // Each call creates a secret and invalidates the previous one, so it is called once while this is shown.
  const [key] = useState(() => ['two-factor-set-up', Math.random()])
  const setUp = useQuery({
    queryKey: key,
    queryFn: async () => await post('/api/auth/2fa/setup'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0
  })
  return (
    <QueryState query={setUp}>
      {({ secret, otpauth_uri }) => <Steps secret={secret} address={otpauth_uri} onOn={onOn} onLeave={onLeave} />}
    </QueryState>
  )
}

interface StepsProps {
  secret: string
  address: string
  onOn: (code: string) => void
  onLeave: (() => void) | undefined
}

function Steps({ secret, address, onOn, onLeave }: StepsProps) {
  const form = useForm(
    { code: '' },
    {
      problems: { code: t('account.codeIsWrong') },
      reasons: { wrong_two_factor_code: { code: t('account.codeIsWrong') } }
    }
  )
  const grouped = secret.match(/.{1,4}/g)!.join(' ')

  async function turnOn(event: FormEvent) {
    const code = form.values.code.replace(/\s/g, '')
    const isOn = await form.submit(() => post('/api/auth/2fa/enable', { secret, code }), event)
    if (isOn) onOn(code)
  }

  return (
    <ol className={styles.steps}>
      <li>
        <h3>{t('account.stepApp')}</h3>
        <div className={styles.scan}>
          <QrCode text={address} />
          <div className={styles.secretBox}>
            <p id="secret-hint">{t('account.scanOrType')}</p>
            <div className={styles.secret}>
              <code aria-describedby="secret-hint">{grouped}</code>
              <IconButton icon={Copy} label={t('account.copySecret')} onClick={() => void copyText(secret)} />
            </div>
            <p className={styles.hint}>{t('account.totpFacts')}</p>
          </div>
        </div>
      </li>
      <li>
        <h3>{t('account.stepCode')}</h3>
        <form onSubmit={turnOn} className={styles.codeForm} noValidate>
          <TextField
            label={t('account.sixDigits')}
            inputMode="numeric"
            autoComplete="one-time-code"
            {...form.field('code')}
          />
          <div className="row-x wrap">
            <Button variant="primary" type="submit" busy={form.isBusy} busyLabel={t('account.turningOn')}>
              {t('account.turnOn')}
            </Button>
            {onLeave && (
              <Button variant="quiet" onClick={onLeave}>
                {t('account.notNow')}
              </Button>
            )}
          </div>
          {form.failure && <p role="alert">{form.failure}</p>}
        </form>
      </li>
    </ol>
  )
}
