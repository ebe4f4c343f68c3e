import { useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { languageOptions } from '../../../app/language-options.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { t } from '../../../lib/strings.ts'
import { SegmentedControl } from '../../../ui/form-controls.tsx'
import { Link } from '../../navigation.ts'
import { EmailPreview } from '../email-templates/email-preview.tsx'
import { SendTest } from '../email-templates/send-test.tsx'
import type { EmailTemplate } from '../email-templates/template-texts.ts'
import styles from '../settings.module.css'

const name = 'client-survey'

/** The e-mail that asks, as somebody might get it; its words are changed with those of the other e-mails. */
export function SurveyEmail({ deskLanguage }: { deskLanguage: EmailTemplate['language'] }) {
  const [language, setLanguage] = useState(deskLanguage)
  const template = useApiQuery('/api/admin/email-templates/detail', { name, language })
  return (
    <section className={`${styles.card} ${styles.padded}`} aria-label={t('admin.surveyEmail')}>
      <div className={styles.acts}>
        <SegmentedControl
          label={t('admin.template.language')}
          options={languageOptions}
          value={language}
          onChange={language => setLanguage(language as EmailTemplate['language'])}
        />
        <SendTest name={name} language={language} />
        <Link className="link" to="/settings/email-templates/$name" params={{ name }} search={{ language }}>
          {t('admin.surveyWords')}
        </Link>
      </div>
      <QueryState query={template}>
        {({ template }) => <EmailPreview template={template} subject={template.subject} text={template.text} />}
      </QueryState>
    </section>
  )
}
