import { t } from '../../../lib/strings.ts'
import { AdminPage } from '../admin-page.tsx'
import { DeskSettings } from '../desk-settings.tsx'
import { saveSettings } from '../save-settings.ts'
import { SwitchRow } from '../setting-row.tsx'
import styles from '../settings.module.css'
import { Branding } from './branding.tsx'

/** What clients find at the portal, and how it looks. */
export function PortalPage() {
  return (
    <AdminPage title={t('admin.portal')} lede={t('admin.portalLede')} width="settings">
      <DeskSettings>
        {({ settings, version }) => (
          <div className={styles.cards}>
            <div className={styles.card}>
              <SwitchRow
                setting="withoutAccount"
                isOn={settings.tickets_without_account === 1}
                onChange={isOn => saveSettings({ tickets_without_account: isOn ? 1 : 0 })}
              />
            </div>
            <Branding settings={settings} version={version} />
          </div>
        )}
      </DeskSettings>
    </AdminPage>
  )
}
