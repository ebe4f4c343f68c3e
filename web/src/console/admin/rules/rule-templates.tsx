import { ChevronRight, Workflow } from 'lucide-react'
import { useId } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { t } from '../../../lib/strings.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Link } from '../../navigation.ts'
import { useActionChoices } from '../actions/use-action-choices.ts'
import { useConditionValues } from '../sentence/use-condition-values.ts'
import { conditionsOf, type RuleTemplate, rulePaths, templateName } from './rule.ts'
import { RuleSentence } from './rule-sentence.tsx'
import styles from './rules.module.css'

/** Rules to start from. Each opens filled in, and does nothing until it is saved and turned on. */
export function RuleTemplates({ title }: { title: string }) {
  const id = useId()
  const templates = useApiQuery('/api/admin/rules/templates/list', {})
  return (
    <section aria-labelledby={id} className={styles.templates}>
      <h2 id={id}>{title}</h2>
      <QueryState query={templates}>{({ templates }) => <List templates={templates} />}</QueryState>
    </section>
  )
}

function List({ templates }: { templates: RuleTemplate[] }) {
  const values = useConditionValues(conditionsOf(...templates.map(({ rule }) => rule)), 'events')
  const choices = useActionChoices()
  const { data: saved } = useApiQuery(rulePaths[0], {})
  const names = new Set(saved?.rules.map(({ name }) => name))
  return (
    <ul className="card">
      {templates.map(template => (
        <li key={template.key}>
          <Workflow size={16} aria-hidden />
          <div className={styles.words}>
            <span className="row-x wrap">
              <Link
                to="/rules/$ruleId"
                params={{ ruleId: 'new' }}
                search={{ template: template.key }}
                className={`row-link ${styles.name}`}
              >
                {templateName(template)}
              </Link>
              {names.has(templateName(template)) && <Badge>{t('rules.templateUsed')}</Badge>}
            </span>
            <p className={styles.sentence}>
              <RuleSentence
                rule={template.rule as Parameters<typeof RuleSentence>[0]['rule']}
                values={values}
                choices={choices}
              />
            </p>
          </div>
          <ChevronRight size={16} aria-hidden />
        </li>
      ))}
    </ul>
  )
}
