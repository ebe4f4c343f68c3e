import type { DataOf } from '@deskline/client'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SaveBar } from '../../../ui/save-bar.tsx'
import { useNavigate } from '../../navigation.ts'
import { ActionsEditor } from '../actions/actions-editor.tsx'
import { useActionChoices } from '../actions/use-action-choices.ts'
import { ChangedByOthers } from '../changed-by-others.tsx'
import { ConditionsEditor } from '../sentence/conditions-editor.tsx'
import { Sentence } from '../sentence/sentence.tsx'
import { useConditionValues } from '../sentence/use-condition-values.ts'
import { UnsavedChangesDialog } from '../unsaved-changes-dialog.tsx'
import { useSaving } from '../use-saving.ts'
import { DryRun } from './dry-run.tsx'
import { ExistingDialog, type Impact } from './existing-dialog.tsx'
import {
  changesOf,
  conditionsOf,
  emptyDraft,
  fieldsOf,
  isOfMail,
  type Rule,
  type RuleDraft,
  rulePaths
} from './rule.ts'
import { RuleActions } from './rule-actions.tsx'
import { RuleFrame } from './rule-frame.tsx'
import { RuleNotices } from './rule-notices.tsx'
import styles from './rules.module.css'
import type { Existing } from './switch-rule.ts'
import { TriggerEditor } from './trigger-editor.tsx'

interface RuleEditorProps {
  /** Undefined while it is new. */
  rule: Rule | undefined
  /** What is shown at first. */
  start: RuleDraft
  /** What a desk has to choose in what a template has filled in. */
  needs?: string[]
  /** A template that is to be watched first. */
  watches?: boolean
  /** The desk has no tag that a template could name: one is created with it. */
  createsTags?: boolean
  warnings: DataOf<'/api/admin/rules/detail'>['warnings']
}

interface Saving {
  turns?: 'on' | undefined
  isOverOthers?: boolean
  /** What was answered for a timer that is turned on. */
  existing?: Existing
}

export function RuleEditor({
  rule,
  start,
  needs = [],
  watches = false,
  createsTags = false,
  warnings
}: RuleEditorProps) {
  const navigate = useNavigate()
  const [draft, setDraft] = useState(start)
  const { isBusy, failure, isStale, run, refuse, clearFailure } = useSaving()
  /** What the last attempt to save would have turned it. */
  const [turned, setTurned] = useState<'on'>()
  const [isLeaving, setLeaving] = useState(false)
  const [impact, setImpact] = useState<Impact>()
  const others = useApiQuery(rulePaths[0], {}).data?.rules ?? []
  const saved = rule ? start : emptyDraft
  const values = useConditionValues(conditionsOf(saved, draft), 'events')
  const choices = useActionChoices()
  const calendar = (id: number) => choices.calendars?.find(each => each.id === id)?.label ?? String(id)
  const changes = changesOf(saved, draft, { values, choices, calendar })
  const change = (changed: Partial<RuleDraft>) => setDraft({ ...draft, ...changed })
  const hasChanges = changes.length > 0 && !isLeaving

  /** What is left to choose takes the focus instead. */
  async function save({ turns, isOverOthers = false, existing }: Saving) {
    const fields = fieldsOf(draft)
    if (!fields) return refuse(t('rules.mendFirst'))
    setTurned(turns)
    const body = { ...fields, ...(turns === 'on' && { is_active: 1 as const, ...existing }) }
    await run(async () => {
      if (turns === 'on' && fields.trigger.timer && !existing) {
        const impact = await post('/api/admin/rules/impact', { rule: fields, ...(rule && { rule_id: rule.id }) })
        if (impact.already_due > 0) return setImpact(impact)
      }
      if (rule) {
        const version = isOverOthers ? {} : { expected_version: rule.version }
        await post('/api/admin/rules/update', { id: rule.id, ...body, ...version })
        announce(t('admin.saved'))
        await reloadQueries(...rulePaths)
      } else {
        const created = await post('/api/admin/rules/create', {
          ...body,
          ...(watches && { watch_only: 1 as const }),
          ...(createsTags && { create_tags: 1 as const })
        })
        announce(t('admin.saved'))
        setLeaving(true)
        await reloadQueries(rulePaths[0])
        void navigate({ to: '/rules/$ruleId', params: { ruleId: String(created.rule.id) }, replace: true })
      }
    })
  }

  const isOn = rule?.is_active === 1
  return (
    <RuleFrame
      ruleId={rule?.id}
      tab="rule"
      title={rule?.name ?? t('rules.newRule')}
      lede={ledeOf(rule, others.length)}
      actions={rule && <RuleActions rule={rule} hasChanges={hasChanges} onRename={name => change({ name })} />}
      foot={
        hasChanges && (
          <SaveBar
            changes={changes}
            saveLabel={t(isOn ? 'rules.save' : 'rules.saveAndTurnOn')}
            second={isOn ? undefined : { label: t('rules.saveKeepOff'), onClick: () => void save({}) }}
            busy={isBusy}
            onSave={() => void save({ turns: isOn ? undefined : 'on' })}
            onDiscard={() => {
              setDraft(saved)
              clearFailure()
            }}
          />
        )
      }
    >
      {isStale && (
        <ChangedByOthers
          onSaveOver={() => void save({ turns: turned, isOverOthers: true })}
          onShowTheirs={() => void reloadQueries(...rulePaths)}
        />
      )}
      {failure && <Banner tone="bad">{failure}</Banner>}
      {rule && <RuleNotices rule={rule} warnings={warnings} others={others} />}
      {needs.length > 0 && <Banner>{t('rules.templateNeeds')}</Banner>}
      {createsTags && <Banner>{t('rules.templateCreatesTag')}</Banner>}
      {watches && <Banner>{t('rules.templateWatches')}</Banner>}
      <div className={styles.columns}>
        <div className={styles.stack}>
          {!rule && (
            <div className={`card ${styles.nameRow}`}>
              <TextField
                label={t('admin.name')}
                maxLength={100}
                autoComplete="off"
                value={draft.name}
                error={failure && !draft.name.trim() ? t('ui.fieldMissing') : undefined}
                onChange={name => change({ name })}
              />
            </div>
          )}
          <section className={`card ${styles.blocks}`} aria-label={t('rules.rule')}>
            <TriggerEditor
              trigger={draft.trigger}
              choices={choices}
              calendar={calendar}
              onChange={trigger => change({ trigger })}
            />
            <ConditionsEditor
              conditions={draft.conditions}
              emptyText={t('rules.anyTicket')}
              word={t('rules.if')}
              // A timer has no event.
              scope={draft.trigger.timer ? 'tickets' : isOfMail(draft.trigger) ? 'mails' : 'events'}
              onChange={conditions => change({ conditions })}
            />
            <Sentence>
              <ActionsEditor
                actions={draft.actions}
                word={t('rules.then')}
                addLabel={t('rules.addAction')}
                hasMessage={draft.trigger.events?.every(kind => kind === 'ticket.replied') ?? false}
                isMissing={draft.actions.length === 0 && failure !== undefined}
                isOfMail={isOfMail(draft.trigger)}
                onChange={actions => change({ actions })}
              />
            </Sentence>
          </section>
        </div>
        <DryRun ruleId={rule?.id} draft={draft} values={values} choices={choices} />
      </div>
      {impact && (
        <ExistingDialog
          impact={impact}
          onChoose={existing => {
            setImpact(undefined)
            void save({ turns: 'on', existing })
          }}
          onClose={() => setImpact(undefined)}
        />
      )}
      <UnsavedChangesDialog
        hasChanges={hasChanges}
        title={t('rules.unsaved')}
        onSave={async () => {
          await save({})
          return false
        }}
      />
    </RuleFrame>
  )
}

function ledeOf(rule: Rule | undefined, count: number): string {
  if (!rule) return t('rules.newText')
  const place = t('rules.placeOf', { number: rule.position, total: count, version: rule.version })
  if (!rule.is_active) return `${place} ${t('rules.isOffText')}`
  return rule.watch_only ? `${place} ${t('rules.watchesText')}` : place
}
