import { t } from '../../../lib/strings.ts'
import { TextField } from '../../../ui/field.tsx'
import type { Settings } from '../save-settings.ts'
import { SettingPlace } from '../setting-row.tsx'
import styles from '../settings.module.css'
import { SettingsForm } from '../settings-form.tsx'
import { useListForm } from './use-list-form.ts'

/** In which languages articles are written, the first of them before all others. */
export function HelpLanguages(current: { settings: Settings; version: number }) {
  const problem = t('admin.helpLanguagesUnfit')
  const form = useListForm(current, { name: 'help_languages', between: ', ', problem })
  return (
    <div className={`${styles.card} ${styles.padded}`}>
      <h2>{t('admin.articles')}</h2>
      <SettingsForm form={form}>
        <SettingPlace setting="helpLanguages">
          <TextField
            label={t('admin.helpLanguages')}
            hint={t('admin.helpLanguagesHint')}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            {...form.field('help_languages')}
          />
        </SettingPlace>
      </SettingsForm>
    </div>
  )
}
