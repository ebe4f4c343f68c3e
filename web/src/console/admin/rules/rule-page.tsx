import { useApiQuery, whileEdited } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { t } from '../../../lib/strings.ts'
import { useParams, useSearch } from '../../../router/react.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { draftOf, emptyDraft, rulePaths, templateName } from './rule.ts'
import { RuleEditor } from './rule-editor.tsx'
import { RuleFrame } from './rule-frame.tsx'

/** One rule as a sentence that can be changed: when, if, then. `new` for one that is added, with `template` filled in from that. */
export function RulePage() {
  const { ruleId } = useParams<{ ruleId: string }>()
  return ruleId === 'new' ? <NewRule /> : <SavedRule id={Number(ruleId)} />
}

function NewRule() {
  const { template: key } = useSearch<{ template?: string }>()
  const templates = useApiQuery('/api/admin/rules/templates/list', {}, { enabled: key !== undefined })
  if (key === undefined) return <RuleEditor key="new" rule={undefined} start={emptyDraft} warnings={[]} />
  const template = templates.data?.templates.find(each => each.key === key)
  if (!template)
    return (
      <RuleFrame ruleId={undefined} tab="rule" title={t('rules.newRule')}>
        <QueryState query={templates}>{() => <StateMessage kind="404" title={t('rules.noTemplate')} />}</QueryState>
      </RuleFrame>
    )
  const start = draftOf({ ...template.rule, name: templateName(template) } as Parameters<typeof draftOf>[0])
  const needs = template.needs.map(({ kind }) => kind)
  return (
    <RuleEditor
      key={key}
      rule={undefined}
      start={start}
      needs={needs}
      watches={template.rule.watch_only === 1}
      createsTags={template.rule.create_tags === 1}
      warnings={[]}
    />
  )
}

function SavedRule({ id }: { id: number }) {
  const found = useApiQuery(rulePaths[1], { id }, whileEdited)
  if (!found.data)
    return (
      <RuleFrame ruleId={id} tab="rule" title={t('rules.rule')}>
        <QueryState query={found}>{() => null}</QueryState>
      </RuleFrame>
    )
  const { rule, warnings } = found.data
  return <RuleEditor key={`${id} ${rule.version}`} rule={rule} start={draftOf(rule)} warnings={warnings} />
}
