import { Workflow } from 'lucide-react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { MorePages } from '../../../app/more-pages.tsx'
import { QueryState } from '../../../app/query-state.tsx'
import { useApiPages } from '../../../app/use-api-pages.ts'
import { t } from '../../../lib/strings.ts'
import { useParams } from '../../../router/react.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { useActionChoices } from '../actions/use-action-choices.ts'
import { useConditionValues } from '../sentence/use-condition-values.ts'
import { conditionsOf, type Rule, rulePaths } from './rule.ts'
import { RuleActions } from './rule-actions.tsx'
import { RuleFrame } from './rule-frame.tsx'
import { RuleNotices } from './rule-notices.tsx'
import { RunRow } from './run-row.tsx'
import styles from './runs.module.css'

/** What a rule did, the newest first: each run opens what was judged and done. */
export function RunsPage() {
  const id = Number(useParams<{ ruleId: string }>().ruleId)
  const found = useApiQuery(rulePaths[1], { id })
  const others = useApiQuery(rulePaths[0], {}).data?.rules ?? []
  const rule = found.data?.rule
  return (
    <RuleFrame
      ruleId={id}
      tab="runs"
      title={rule?.name ?? t('rules.runs')}
      lede={rule && t('rules.placeOf', { number: rule.position, total: others.length, version: rule.version })}
      actions={rule && <RuleActions rule={rule} hasChanges={false} />}
    >
      <QueryState query={found}>
        {({ rule, warnings }) => (
          <>
            <RuleNotices rule={rule} warnings={warnings} others={others} />
            <Runs rule={rule} others={others} />
          </>
        )}
      </QueryState>
    </RuleFrame>
  )
}

const everyTwentySeconds = 20_000

function Runs({ rule, others }: { rule: Rule; others: readonly Rule[] }) {
  const body = { rule_id: rule.id }
  const pages = useApiPages('/api/admin/rules/runs', body)
  const newest = useApiQuery('/api/admin/rules/runs', body, { refetchInterval: everyTwentySeconds })
  const values = useConditionValues(conditionsOf(rule), 'events')
  const choices = useActionChoices()
  const runs = pages.data?.pages.flatMap(page => page.runs)
  const latest = runs?.[0]?.id ?? 0
  // Those that have come meanwhile move nothing until they are asked for.
  const more = runs ? (newest.data?.runs.filter(({ id }) => id > latest).length ?? 0) : 0
  return (
    <QueryState query={{ ...pages, data: runs }}>
      {runs => (
        <>
          {more > 0 && (
            <div className={styles.more}>
              <Chip isNew onClick={() => void pages.refetch()}>
                {t('rules.newRuns', { count: more })}
              </Chip>
            </div>
          )}
          {runs.length === 0 ? (
            <StateMessage icon={Workflow} title={t('rules.noRuns')} text={t('rules.noRunsText')} />
          ) : (
            <ul className={`card ${styles.runs}`} aria-label={t('rules.runs')}>
              {runs.map(run => (
                <RunRow key={run.id} run={run} rule={rule} others={others} values={values} choices={choices} />
              ))}
            </ul>
          )}
          <MorePages pages={pages} label={t('rules.earlierRuns')} />
          <p className={styles.hint}>{t('rules.runsKept')}</p>
        </>
      )}
    </QueryState>
  )
}
