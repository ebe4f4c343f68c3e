import { t } from '../../../lib/strings.ts'
import { AdminPage } from '../admin-page.tsx'
import { DeskSettings } from '../desk-settings.tsx'
import { SettingPlace } from '../setting-row.tsx'
import styles from '../settings.module.css'
import { IncomingMail } from './incoming-mail.tsx'
import { Mailboxes } from './mailboxes.tsx'

/** How e-mails come in: the mailboxes, the addresses and their departments, and unknown senders. */
export function EmailPage() {
  return (
    <AdminPage title={t('admin.emailChannel')} lede={t('admin.emailLede')} width="settings">
      <DeskSettings>
        {({ settings, version }) => (
          <div className={styles.cards}>
            <SettingPlace setting="mailboxes">
              <Mailboxes />
            </SettingPlace>
            <IncomingMail settings={settings} version={version} />
          </div>
        )}
      </DeskSettings>
    </AdminPage>
  )
}
