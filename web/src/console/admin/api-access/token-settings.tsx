import { t } from '../../../lib/strings.ts'
import { DeskSettings } from '../desk-settings.tsx'
import { saveSettings } from '../save-settings.ts'
import { SelectRow, SwitchRow } from '../setting-row.tsx'
import settingStyles from '../settings.module.css'
import styles from './api-access.module.css'

/** Whether staff may make tokens for themselves, and for how long a person's token may live. */
export function TokenSettings() {
  return (
    <DeskSettings>
      {({ settings }) => (
        <div className={`${settingStyles.card} ${styles.settings}`}>
          <SwitchRow
            setting="staffTokens"
            isOn={settings.staff_tokens === 1}
            onChange={isOn => saveSettings({ staff_tokens: isOn ? 1 : 0 })}
          />
          <SelectRow
            setting="longestToken"
            value={String(settings.token_longest_days ?? 'never')}
            options={lives(settings.token_longest_days)}
            onChange={days => saveSettings({ token_longest_days: days === 'never' ? null : Number(days) })}
          />
        </div>
      )}
    </DeskSettings>
  )
}

/** Those to choose from, with the present one. */
function lives(current: number | null) {
  const days = [...new Set([30, 90, 365, 730, current ?? 30])].toSorted((one, other) => one - other)
  return [
    ...days.map(count => ({ value: String(count), label: t('admin.api.life', { count }) })),
    { value: 'never', label: t('admin.api.anyLife') }
  ]
}
