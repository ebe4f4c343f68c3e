import { languageOptions } from '../../../app/language-options.ts'
import { DeskSettings } from '../desk-settings.tsx'
import { saveSettings } from '../save-settings.ts'
import { SelectRow } from '../setting-row.tsx'
import settings from '../settings.module.css'

/** The language of e-mails to people who have not chosen one. */
export function EmailLanguage() {
  return (
    <DeskSettings>
      {({ settings: { language } }) => (
        <div className={settings.card}>
          <SelectRow
            setting="emailLanguage"
            value={language}
            options={languageOptions}
            onChange={language => saveSettings({ language })}
          />
        </div>
      )}
    </DeskSettings>
  )
}
