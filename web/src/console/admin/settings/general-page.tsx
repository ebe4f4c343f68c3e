import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { TextField } from '../../../ui/field.tsx'
import { SavedLabel } from '../../../ui/form-controls.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { AdminPage } from '../admin-page.tsx'
import { DeskSettings } from '../desk-settings.tsx'
import { type Settings, saveSettings } from '../save-settings.ts'
import { SettingPlace, SettingRow, SwitchRow, useSavedForAMoment } from '../setting-row.tsx'
import styles from '../settings.module.css'
import { SettingsForm, useSettingsForm } from '../settings-form.tsx'
import { ZonePicker } from '../zone-picker.tsx'

/** What the desk is called, where it is, and what colleagues see of each other’s drafts. */
export function GeneralPage() {
  return (
    <AdminPage title={t('admin.general')} lede={t('admin.generalLede')} width="settings">
      <DeskSettings>
        {({ settings, version }) => (
          <div className={styles.cards}>
            <Name settings={settings} version={version} />
            <TimeZone zone={settings.time_zone} />
            <div className={styles.card}>
              <SwitchRow
                setting="shareDrafts"
                isOn={settings.share_drafts === 1}
                onChange={isOn => saveSettings({ share_drafts: isOn ? 1 : 0 })}
              />
            </div>
          </div>
        )}
      </DeskSettings>
    </AdminPage>
  )
}

function Name({ settings, version }: { settings: Settings; version: number }) {
  const form = useSettingsForm(['name'], settings, version)
  return (
    <div className={`${styles.card} ${styles.padded}`}>
      <SettingsForm form={form}>
        <SettingPlace setting="deskName">
          <TextField
            label={t('admin.deskName')}
            hint={t('admin.deskNameHint')}
            optional
            maxLength={100}
            {...form.field('name')}
          />
        </SettingPlace>
      </SettingsForm>
    </div>
  )
}

/** The zone of the desk, which takes effect at once. */
function TimeZone({ zone }: { zone: string }) {
  const { isSaved, show } = useSavedForAMoment()

  async function choose(time_zone: string) {
    try {
      await saveSettings({ time_zone })
      show()
      announce(t('admin.saved'))
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    }
  }

  return (
    <div className={styles.card}>
      <SettingRow setting="timeZone" title={t('admin.timeZone')} hint={t('admin.timeZoneHint')}>
        {isSaved && <SavedLabel />}
        <ZonePicker label={t('admin.timeZone')} zone={zone} onChange={zone => void choose(zone)} />
      </SettingRow>
    </div>
  )
}
