import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { t } from '../../../lib/strings.ts'
import { Branding } from './branding.tsx'
import { EmailTextSettings } from './email-text-settings.tsx'
import { IncomingMail } from './incoming-mail.tsx'
import { Mailboxes } from './mailboxes.tsx'
import { saveSettings } from './save-settings.ts'
import { SwitchRow } from './setting-row.tsx'
import styles from './settings.module.css'

/** The settings of the desk, for admins. */
export function DeskSettings() {
  const settings = useApiQuery('/api/admin/settings/detail', {})
  return (
    <QueryState query={settings}>
      {({ settings, version }) => (
        <>
          <div className={styles.card}>
            <SwitchRow
              title={t('admin.staffTwoFactor')}
              hint={t('admin.staffTwoFactorHint')}
              isOn={settings.require_staff_2fa === 1}
              onChange={isOn => saveSettings({ require_staff_2fa: isOn ? 1 : 0 })}
            />
            <SwitchRow
              title={t('admin.signUp')}
              hint={t('admin.signUpHint')}
              isOn={settings.sign_up === 1}
              onChange={isOn => saveSettings({ sign_up: isOn ? 1 : 0 })}
            />
            <SwitchRow
              title={t('admin.withoutAccount')}
              hint={t('admin.withoutAccountHint')}
              isOn={settings.tickets_without_account === 1}
              onChange={isOn => saveSettings({ tickets_without_account: isOn ? 1 : 0 })}
            />
          </div>
          <EmailTextSettings language={settings.language} />
          <IncomingMail settings={settings} version={version} />
          <Mailboxes />
          <Branding settings={settings} version={version} />
        </>
      )}
    </QueryState>
  )
}
