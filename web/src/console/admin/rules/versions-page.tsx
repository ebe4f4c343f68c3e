import type { DataOf } from '@deskline/client'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { useParams } from '../../../router/react.tsx'
import { announce } from '../../../ui/announce.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Time } from '../../../ui/time.tsx'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { useNavigate } from '../../navigation.ts'
import { useActionChoices } from '../actions/use-action-choices.ts'
import { useConditionValues } from '../sentence/use-condition-values.ts'
import { changesOf, conditionsOf, draftOf, type Rule, rulePaths } from './rule.ts'
import { RuleActions } from './rule-actions.tsx'
import { RuleFrame } from './rule-frame.tsx'
import { RuleSentence } from './rule-sentence.tsx'
import styles from './rules.module.css'

type Version = DataOf<'/api/admin/rules/versions'>['versions'][number]

/** What a rule says and has said: what each version changed, who saved it, and the way back to it. */
export function VersionsPage() {
  const id = Number(useParams<{ ruleId: string }>().ruleId)
  const found = useApiQuery(rulePaths[1], { id })
  const versions = useApiQuery('/api/admin/rules/versions', { id })
  const total = useApiQuery(rulePaths[0], {}).data?.rules.length
  const rule = found.data?.rule
  return (
    <RuleFrame
      ruleId={id}
      tab="versions"
      title={rule?.name ?? t('rules.versions')}
      lede={rule && total && t('rules.placeOf', { number: rule.position, total, version: rule.version })}
      actions={rule && <RuleActions rule={rule} hasChanges={false} />}
    >
      <QueryState query={found}>
        {({ rule }) => (
          <QueryState query={versions}>{({ versions }) => <Versions rule={rule} versions={versions} />}</QueryState>
        )}
      </QueryState>
    </RuleFrame>
  )
}

function Versions({ rule, versions }: { rule: Rule; versions: Version[] }) {
  const navigate = useNavigate()
  const values = useConditionValues(conditionsOf(...versions), 'events')
  const choices = useActionChoices()
  const calendar = (id: number) => choices.calendars?.find(each => each.id === id)?.label ?? String(id)
  const [chosen, setChosen] = useState<Version>()

  async function bringBack({ name, trigger, conditions, actions, watch_only }: Version) {
    const said = { name, trigger, conditions, actions, watch_only }
    await post('/api/admin/rules/update', { id: rule.id, ...said, expected_version: rule.version })
    announce(t('admin.saved'))
    await reloadQueries(...rulePaths, '/api/admin/rules/versions')
    void navigate({ to: '/rules/$ruleId', params: { ruleId: String(rule.id) } })
  }

  return (
    <>
      <ol className={`card ${styles.versions}`} aria-label={t('rules.versions')}>
        {versions.map((version, at) => {
          const before = versions[at + 1]
          const changes = before ? changesBetween(before, version, { values, choices, calendar }) : []
          return (
            <li key={version.version}>
              <span className="row-x wrap">
                <b className={styles.name}>{t('rules.versionNumber', { version: version.version })}</b>
                <span className={styles.count}>
                  {version.by ? nameOf(version.by) : t('rules.byNobody')} ·{' '}
                  <Time at={version.created_at} style="short" />
                </span>
                {version.version === rule.version && <Badge tone="accent">{t('rules.present')}</Badge>}
              </span>
              {version.version === rule.version ? (
                <span />
              ) : (
                <Button size="sm" onClick={() => setChosen(version)}>
                  {t('rules.bringBack')}
                </Button>
              )}
              {before && (
                <ul className={styles.sentence}>
                  {(changes.length > 0 ? changes : [t('rules.onlyState')]).map(change => (
                    <li key={change}>{change}</li>
                  ))}
                </ul>
              )}
              {(!before || changes.length > 0) && (
                <p className={styles.sentence}>
                  <RuleSentence
                    rule={version as Parameters<typeof RuleSentence>[0]['rule']}
                    values={values}
                    choices={choices}
                  />
                </p>
              )}
            </li>
          )
        })}
      </ol>
      <p className={styles.hint}>{t('rules.versionsKept')}</p>
      {chosen && (
        <AsyncConfirmDialog
          title={t('rules.bringBackTitle', { version: chosen.version })}
          text={t('rules.bringBackText', { version: rule.version + 1 })}
          confirmLabel={t('rules.bringBack')}
          keepLabel={t('rules.keepPresent')}
          isHarmless
          onConfirm={() => bringBack(chosen)}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  )
}

type Names = Parameters<typeof changesOf>[2]

/** What a version says otherwise than the one before it. */
function changesBetween(before: Version, after: Version, names: Names): string[] {
  const [was, is] = [before, after].map(version => draftOf(version as Parameters<typeof draftOf>[0]))
  const watching = after.watch_only ? t('rules.isWatchingNow') : t('rules.isActingNow')
  return [...changesOf(was!, is!, names), ...(before.watch_only === after.watch_only ? [] : [watching])]
}
