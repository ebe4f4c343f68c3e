import { languageOptions } from '../../../app/language-options.ts'
import { t } from '../../../lib/strings.ts'
import { Link } from '../../navigation.ts'
import { type Settings, saveSettings } from './save-settings.ts'
import { SelectRow, SettingRow } from './setting-row.tsx'
import styles from './settings.module.css'

/** The language of e-mails, and a link to their templates. */
export function EmailTextSettings({ language }: Pick<Settings, 'language'>) {
  return (
    <div className={styles.card}>
      <SelectRow
        title={t('admin.emailLanguage')}
        hint={t('admin.emailLanguageHint')}
        value={language}
        options={languageOptions}
        onChange={language => saveSettings({ language })}
      />
      <SettingRow title={t('admin.emailTemplates')} hint={t('admin.emailTemplatesHint')}>
        <Link
          className="btn"
          to="/settings/email-templates"
          aria-label={t('admin.editNamed', { name: t('admin.emailTemplates') })}
        >
          {t('admin.edit')}
        </Link>
      </SettingRow>
    </div>
  )
}
