import { useState } from 'react'
import { RecoveryCodes } from '../../app/account/recovery-codes.tsx'
import { TwoFactorSetUp } from '../../app/account/two-factor-set-up.tsx'
import { post } from '../../app/api-client.ts'
import { AuthPage } from '../../app/auth-page.tsx'
import { reloadMe, signOut } from '../../app/session.ts'
import { t } from '../../lib/strings.ts'
import { PageTitle, useTitle } from '../../ui/page.tsx'
import { useNavigate } from '../navigation.ts'

/** The only page for staff who still have to set up a required second factor. */
export function SecondFactorPage() {
  useTitle(t('session.mustEnableTitle'))
  const navigate = useNavigate()
  const [codes, setCodes] = useState<string[]>()

  async function goOn() {
    await reloadMe()
    await navigate({ to: '/', replace: true })
  }

  async function turnedOn(code: string) {
    // The codes can be created later in the account.
    const made = await post('/api/account/2fa/recovery-codes', { code }).catch(() => undefined)
    if (made) setCodes(made.recovery_codes)
    else await goOn()
  }

  return (
    <AuthPage
      foot={
        <button type="button" className="link" onClick={() => void signOut()}>
          {t('session.signOut')}
        </button>
      }
    >
      <div className="card">
        <PageTitle>{codes ? t('session.keepCodesTitle') : t('session.mustEnableTitle')}</PageTitle>
        <p className="sub">{codes ? t('session.keepCodesText') : t('session.mustEnableText')}</p>
        {codes ? (
          <RecoveryCodes codes={codes} onDone={() => void goOn()} />
        ) : (
          <TwoFactorSetUp onOn={code => void turnedOn(code)} />
        )}
      </div>
    </AuthPage>
  )
}
