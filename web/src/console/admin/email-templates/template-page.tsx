import { useApiQuery } from '../../../app/api-queries.ts'
import { languageOptions } from '../../../app/language-options.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { t } from '../../../lib/strings.ts'
import { useParams, useSearch } from '../../../router/react.tsx'
import { SegmentedControl } from '../../../ui/form-controls.tsx'
import { useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import styles from './email-templates.module.css'
import { TemplateEditor } from './template-editor.tsx'
import { descriptionOf, type EmailTemplate, titleOf } from './template-texts.ts'

/** The template of one e-mail in each language. */
export function EmailTemplatePage() {
  const { name } = useParams() as { name: EmailTemplate['name'] }
  const { language } = useSearch() as { language: EmailTemplate['language'] }
  const navigate = useNavigate()
  const template = useApiQuery('/api/admin/email-templates/detail', { name, language })
  return (
    <AdminPage title={titleOf(name)} above={{ to: '/settings/email-templates', label: t('admin.emailTexts') }}>
      <QueryState query={template}>
        {({ template }) => (
          <>
            <header className={styles.head}>
              <p className={styles.hint}>{descriptionOf(template)}</p>
              <SegmentedControl
                label={t('admin.template.language')}
                options={languageOptions}
                value={template.language}
                onChange={language =>
                  void navigate({
                    to: '/settings/email-templates/$name',
                    params: { name },
                    search: { language: language as EmailTemplate['language'] },
                    replace: true
                  })
                }
              />
            </header>
            <TemplateEditor key={`${name} ${template.language}`} template={template} />
          </>
        )}
      </QueryState>
    </AdminPage>
  )
}
