import { Eye, Plus, TriangleAlert, Workflow } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { Badge } from '../../../ui/badge.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { PauseIcon } from '../../../ui/status-icon.tsx'
import { Link, useNavigate } from '../../navigation.ts'
import { useActionChoices } from '../actions/use-action-choices.ts'
import { AdminPage } from '../admin-page.tsx'
import { OrderedRows } from '../ordered-rows.tsx'
import { useConditionValues } from '../sentence/use-condition-values.ts'
import { DeleteRuleDialog } from './delete-rule-dialog.tsx'
import { conditionsOf, type ListedRule, type Rule, rulePaths } from './rule.ts'
import { useRuleFilter } from './rule-filter.tsx'
import { RuleSentence } from './rule-sentence.tsx'
import { RuleTemplates } from './rule-templates.tsx'
import styles from './rules.module.css'
import { useSwitchRule } from './use-switch-rule.tsx'

/** The rules in the order in which they run, each as a sentence. */
export function RulesPage() {
  const rules = useApiQuery(rulePaths[0], {})
  const isEmpty = rules.data?.rules.length === 0
  return (
    <AdminPage
      title={t('rules.title')}
      lede={t('rules.lede')}
      actions={
        <Link to="/rules/$ruleId" params={{ ruleId: 'new' }} className={buttonClass('primary')}>
          <Plus size={16} aria-hidden /> {t('rules.add')}
        </Link>
      }
      {...(isEmpty && { width: 'settings' })}
    >
      <QueryState query={rules}>
        {({ rules }) =>
          rules.length === 0 ? (
            <>
              <StateMessage icon={Workflow} title={t('rules.none')} text={t('rules.noneText')} />
              <RuleTemplates title={t('rules.beginWith')} />
            </>
          ) : (
            <Rules rules={rules} />
          )
        }
      </QueryState>
    </AdminPage>
  )
}

function Rules({ rules }: { rules: ListedRule[] }) {
  const navigate = useNavigate()
  const { switchTo, dialog } = useSwitchRule()
  const [deleting, setDeleting] = useState<Rule>()
  const [areTemplatesShown, setTemplatesShown] = useState(false)
  const values = useConditionValues(conditionsOf(...rules), 'events')
  const choices = useActionChoices()
  const { shown, isFiltered, filter } = useRuleFilter(rules, choices)

  /** Those that are not shown stay where they are. */
  async function reorder(order: number[]) {
    const places = [...order]
    const ids = rules.map(({ id }) => (order.includes(id) ? places.shift()! : id))
    await post('/api/admin/rules/reorder', { ids })
    await reloadQueries(...rulePaths)
  }

  const menu = (rule: Rule): MenuItem[] => [
    {
      label: t('admin.edit'),
      onSelect: () => void navigate({ to: '/rules/$ruleId', params: { ruleId: String(rule.id) } })
    },
    {
      label: t('rules.showRuns'),
      onSelect: () => void navigate({ to: '/rules/$ruleId/runs', params: { ruleId: String(rule.id) } })
    },
    {
      label: t(rule.is_active ? 'admin.turnOffNow' : 'admin.turnOnNow'),
      onSelect: () => switchTo(rule, rule.is_active ? 'off' : 'on')
    },
    ...(rule.is_active
      ? [
          {
            label: t(rule.paused_reason ? 'rules.resume' : 'rules.pause'),
            onSelect: () => switchTo(rule, rule.paused_reason ? 'resume' : 'pause')
          }
        ]
      : []),
    { label: t('rules.deleteMore'), danger: true, onSelect: () => setDeleting(rule) }
  ]

  return (
    <>
      {filter}
      {shown.length === 0 && <StateMessage title={t('rules.noneFound')} />}
      <OrderedRows
        label={t('rules.title')}
        rows={shown}
        isOff={({ is_active }) => !is_active}
        menu={menu}
        onReorder={reorder}
        aside={ranText}
      >
        {rule => (
          <>
            <span className="row-x wrap">
              <Link to="/rules/$ruleId" params={{ ruleId: String(rule.id) }} className={`row-link ${styles.name}`}>
                {rule.name}
              </Link>
              <RuleBadges rule={rule} />
            </span>
            <p className={styles.sentence}>
              <RuleSentence rule={rule} values={values} choices={choices} />
            </p>
          </>
        )}
      </OrderedRows>
      <p className={styles.hint}>{t(isFiltered ? 'rules.someShown' : 'rules.orderMeans')}</p>
      <p className={styles.hint}>
        <button
          type="button"
          className="link"
          aria-expanded={areTemplatesShown}
          onClick={() => setTemplatesShown(!areTemplatesShown)}
        >
          {t(areTemplatesShown ? 'rules.hideTemplates' : 'rules.showTemplates')}
        </button>
      </p>
      {areTemplatesShown && <RuleTemplates title={t('rules.beginWith')} />}
      {dialog}
      {deleting && <DeleteRuleDialog rule={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

/** "41 this week"; nothing where it did not run. */
function ranText({ runs_in_7_days: count, watch_only }: ListedRule) {
  if (count === 0) return undefined
  return <span className={styles.count}>{t(watch_only ? 'rules.wouldInWeek' : 'rules.ranInWeek', { count })}</span>
}

/** What is unusual about a rule. */
function RuleBadges({ rule }: { rule: Rule }) {
  if (!rule.is_active) return <Badge>{t('admin.isOff')}</Badge>
  return (
    <>
      {rule.paused_reason && (
        <Badge tone="amber" icon={PauseIcon}>
          {t(`rules.paused.${rule.paused_reason}`)}
        </Badge>
      )}
      {rule.watch_only === 1 && (
        <Badge tone="accent" icon={Eye}>
          {t('rules.watching')}
        </Badge>
      )}
      {rule.attention.length > 0 && (
        <Badge tone="amber" icon={TriangleAlert}>
          {t('rules.needsAttention')}
        </Badge>
      )}
    </>
  )
}
