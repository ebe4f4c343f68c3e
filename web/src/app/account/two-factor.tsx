import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { post } from '../api-client.ts'
import { reloadQueries } from '../reload-queries.ts'
import styles from './account.module.css'
import { ReauthenticationForm } from './reauthentication-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoFactorSetUp } from './two-factor-set-up.tsx'

interface TwoFactorProps {
  isOn: boolean
  codesLeft: number
}

/** The second factor of the signed-in person, client or staff: set-up, recovery codes, turning it off. */
export function TwoFactor({ isOn, codesLeft }: TwoFactorProps) {
  const [step, setStep] = useState<'rest' | 'set-up' | 'codes' | 'off'>('rest')
  const [codes, setCodes] = useState<string[]>()

  async function makeCodes(proof: { password?: string; code?: string }) {
    const { recovery_codes } = await post('/api/account/2fa/recovery-codes', proof)
    setCodes(recovery_codes)
  }

  async function wasTurnedOn(code: string) {
    announce(t('account.isOn'))
    setStep('codes')
    // If the code has expired meanwhile, the form asks for another proof.
    await makeCodes({ code }).catch(() => undefined)
    void reloadQueries('/api/account/profile')
  }

  function rest() {
    setCodes(undefined)
    setStep('rest')
    void reloadQueries('/api/account/profile')
  }

  if (codes)
    return (
      <section className={styles.part}>
        <h3>{t('account.recoveryCodes')}</h3>
        <p className={styles.lede}>{t('account.recoveryLede')}</p>
        <RecoveryCodes codes={codes} onDone={rest} />
      </section>
    )
  if (step === 'set-up') return <TwoFactorSetUp onOn={wasTurnedOn} onLeave={() => setStep('rest')} />
  if (step === 'codes')
    return (
      <ReauthenticationForm
        lede={t('account.codesLede')}
        submitLabel={t('account.makeCodes')}
        onCredentials={makeCodes}
        onCancel={rest}
      />
    )
  if (step === 'off')
    return (
      <ReauthenticationForm
        lede={t('account.offLede')}
        submitLabel={t('account.turnOff')}
        danger
        onCredentials={async proof => {
          await post('/api/auth/2fa/disable', proof)
          announce(t('account.isOff'))
          rest()
        }}
        onCancel={rest}
      />
    )
  if (!isOn)
    return (
      <div className={styles.line}>
        <div>
          <p className={styles.name}>{t('account.twoFactorOff')}</p>
          <p className={styles.lede}>{t('account.twoFactorLede')}</p>
        </div>
        <Button variant="primary" onClick={() => setStep('set-up')}>
          {t('account.turnTwoFactorOn')}
        </Button>
      </div>
    )
  return (
    <div className={styles.line}>
      <div>
        <p className={styles.name}>
          {t('account.twoFactorOn')} <Badge tone="green">{t('account.on')}</Badge>
        </p>
        <p className={styles.lede}>{t('account.codesLeft', { count: codesLeft })}</p>
      </div>
      <div className="row-x wrap">
        <Button onClick={() => setStep('codes')}>{t('account.newCodes')}</Button>
        <Button variant="danger" onClick={() => setStep('off')}>
          {t('account.turnOffMore')}
        </Button>
      </div>
    </div>
  )
}
