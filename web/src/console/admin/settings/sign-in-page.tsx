import { t } from '../../../lib/strings.ts'
import { AdminPage } from '../admin-page.tsx'
import { DeskSettings } from '../desk-settings.tsx'
import { saveSettings } from '../save-settings.ts'
import { SwitchRow } from '../setting-row.tsx'
import styles from '../settings.module.css'

/** How staff and clients sign in. */
export function SignInPage() {
  return (
    <AdminPage title={t('admin.signIn')} lede={t('admin.signInLede')} width="settings">
      <DeskSettings>
        {({ settings }) => (
          <div className={styles.card}>
            <SwitchRow
              setting="staffTwoFactor"
              isOn={settings.require_staff_2fa === 1}
              onChange={isOn => saveSettings({ require_staff_2fa: isOn ? 1 : 0 })}
            />
            <SwitchRow
              setting="signUp"
              isOn={settings.sign_up === 1}
              onChange={isOn => saveSettings({ sign_up: isOn ? 1 : 0 })}
            />
          </div>
        )}
      </DeskSettings>
    </AdminPage>
  )
}
