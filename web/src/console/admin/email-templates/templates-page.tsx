import { useApiQuery } from '../../../app/api-queries.ts'
import { languageOptions } from '../../../app/language-options.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { language, t } from '../../../lib/strings.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Link } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { EmailLanguage } from './email-language.tsx'
import styles from './email-templates.module.css'
import { descriptionOf, type ListedTemplate, titleOf } from './template-texts.ts'

const groups = ['ticket', 'account', 'staff'] as const

/** All e-mails that the desk sends, grouped by recipient, with a mark on those that an admin has changed. */
export function EmailTemplatesPage() {
  const templates = useApiQuery('/api/admin/email-templates/list', {})
  return (
    <AdminPage title={t('admin.emailTexts')} lede={t('admin.template.lede')} width="settings">
      <EmailLanguage />
      <QueryState query={templates}>
        {({ templates }) => (
          <div className={styles.groups}>
            {groups.map(group => (
              <Group key={group} group={group} templates={templates.filter(each => each.group === group)} />
            ))}
          </div>
        )}
      </QueryState>
    </AdminPage>
  )
}

function Group({ group, templates }: { group: (typeof groups)[number]; templates: ListedTemplate[] }) {
  const title = t(`admin.template.group.${group}`)
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className={styles.list}>
        {templates.map(template => (
          <Row key={template.name} template={template} />
        ))}
      </ul>
    </section>
  )
}

function Row({ template }: { template: ListedTemplate }) {
  const changed = template.wordings.filter(({ is_changed }) => is_changed === 1)
  const own = template.wordings.find(wording => wording.language === language) ?? template.wordings[0]!
  return (
    <li>
      <Link
        to="/settings/email-templates/$name"
        params={{ name: template.name }}
        search={{ language: own.language }}
        className={styles.row}
      >
        <span className={styles.words}>
          <span className={styles.name}>{titleOf(template.name)}</span>
          <span className={styles.hint}>{descriptionOf(template)}</span>
        </span>
        {changed.map(wording => (
          <Badge key={wording.language} tone={wording.is_used ? 'accent' : 'amber'}>
            {t(wording.is_used ? 'admin.template.changedIn' : 'admin.template.unusedIn', {
              language: languageOptions.find(({ value }) => value === wording.language)!.label
            })}
          </Badge>
        ))}
      </Link>
    </li>
  )
}
