import { t } from '../../../lib/strings.ts'
import { AdminPage } from '../admin-page.tsx'
import { DeskSettings } from '../desk-settings.tsx'
import styles from '../settings.module.css'
import { HelpLanguages } from './help-languages.tsx'
import { Widget } from './widget.tsx'

/** The languages of the help centre, and the contact widget for other sites. */
export function HelpPage() {
  return (
    <AdminPage title={t('admin.help')} lede={t('admin.helpLede')} width="settings">
      <DeskSettings>
        {({ settings, version }) => (
          <div className={styles.cards}>
            <HelpLanguages settings={settings} version={version} />
            <Widget settings={settings} version={version} />
          </div>
        )}
      </DeskSettings>
    </AdminPage>
  )
}
