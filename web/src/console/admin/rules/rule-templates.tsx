import { ChevronRight, Workflow } from 'lucide-react'
import { useId } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { Link } from '../../navigation.ts'
import { useActionChoices } from '../actions/use-action-choices.ts'
import { useConditionValues } from '../sentence/use-condition-values.ts'
import { conditionsOf, type RuleTemplate, templateName } from './rule.ts'
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
  return (
    <ul className="card">
      {templates.map(template => (
        <li key={template.key}>
          <Workflow size={16} aria-hidden />
          <div className={styles.words}>
            <Link
              to="/rules/$ruleId"
              params={{ ruleId: 'new' }}
              search={{ template: template.key }}
              className={`row-link ${styles.name}`}
            >
              {templateName(template)}
            </Link>
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
