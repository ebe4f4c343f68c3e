import { useState } from 'react'
import { chooseOwnLanguage, ThemeChoice } from '../../app/appearance-choice.tsx'
import { languageOptions } from '../../app/language-options.ts'
import { useMe } from '../../app/me.ts'
import { type Language, language, t } from '../../lib/strings.ts'
import { SelectField } from '../../ui/field.tsx'
import { setSingleKeys, useSingleKeys } from '../../ui/shortcuts.ts'
import { SettingRow, SwitchRow } from '../admin/setting-row.tsx'
import styles from '../admin/settings.module.css'
import {
  changeSendChoice,
  setEventsShown,
  setWritesPlain,
  useEventsShown,
  useSendChoice,
  useWritesPlain
} from '../preferences.ts'

/** Settings of this browser. */
export function PersonalSettings() {
  const me = useMe()
  const singleKeys = useSingleKeys()
  const eventsShown = useEventsShown()
  const writesPlain = useWritesPlain()
  const { opensNext } = useSendChoice(me.id, true)
  const [chosen, setChosen] = useState<string>(language)

  return (
    <div className={styles.card}>
      <SettingRow title={t('admin.appearance')}>
        <ThemeChoice />
      </SettingRow>
      <SettingRow title={t('admin.language')} hint={t('admin.languageHint')}>
        <SelectField
          className={styles.select}
          label={<span className="visually-hidden">{t('admin.language')}</span>}
          value={chosen}
          options={languageOptions}
          onChange={next => {
            setChosen(next)
            void chooseOwnLanguage(next as Language)
          }}
        />
      </SettingRow>
      {me.can('tickets.reply') && (
        <SettingRow title={t('admin.afterSending')} hint={t('admin.afterSendingHint')}>
          <SelectField
            className={styles.select}
            label={<span className="visually-hidden">{t('admin.afterSending')}</span>}
            value={opensNext ? 'next' : 'stay'}
            options={[
              { value: 'next', label: t('admin.openNext') },
              { value: 'stay', label: t('admin.stayHere') }
            ]}
            onChange={next => changeSendChoice(me.id, { opensNext: next === 'next' })}
          />
        </SettingRow>
      )}
      <SwitchRow
        title={t('admin.singleKeys')}
        hint={t('admin.singleKeysHint')}
        isOn={singleKeys}
        onChange={setSingleKeys}
      />
      <SwitchRow
        title={t('admin.showEvents')}
        hint={t('admin.showEventsHint')}
        isOn={eventsShown}
        onChange={setEventsShown}
      />
      {me.can('tickets.reply') && (
        <SwitchRow
          title={t('admin.writePlain')}
          hint={t('admin.writePlainHint')}
          isOn={writesPlain}
          onChange={setWritesPlain}
        />
      )}
    </div>
  )
}
