import { languageOptions } from '../../../app/language-options.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Saved } from '../../../ui/choice.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Link } from '../../router/react.tsx'
import { wordsFor } from '../failure-words.ts'
import { type Settings, saveSettings } from './desk-settings.tsx'
import { SettingRow, useSavedForAMoment } from './setting-row.tsx'
import styles from './settings.module.css'

/** In which language people are written to, and where their words are changed. */
export function EmailWords({ language }: Pick<Settings, 'language'>) {
  const { isSaved, show } = useSavedForAMoment()

  async function choose(language: Settings['language']) {
    try {
      await saveSettings({ language })
      show()
      announce(t('admin.saved'))
    } catch (error) {
      toast({ text: wordsFor(error), tone: 'bad' })
    }
  }

  return (
    <div className={styles.card}>
      <SettingRow title={t('admin.emailLanguage')} hint={t('admin.emailLanguageHint')}>
        {isSaved && <Saved />}
        <SelectField
          className={styles.select ?? ''}
          label={<span className="visually-hidden">{t('admin.emailLanguage')}</span>}
          value={language}
          options={languageOptions.map(({ value, label }) => ({ value, label }))}
          onChange={value => void choose(value as Settings['language'])}
        />
      </SettingRow>
      <SettingRow title={t('admin.emailTemplates')} hint={t('admin.emailTemplatesHint')}>
        <Link
          className="btn"
          to="/email-templates"
          aria-label={t('admin.editNamed', { name: t('admin.emailTemplates') })}
        >
          {t('admin.edit')}
        </Link>
      </SettingRow>
    </div>
  )
}
