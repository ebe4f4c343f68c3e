import { Clock } from 'lucide-react'
import { useId, useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery, whileEdited } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { useParams } from '../../../router/react.tsx'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Checkbox, SegmentedControl } from '../../../ui/form-controls.tsx'
import { Part } from '../../../ui/part.tsx'
import { Picker } from '../../../ui/picker.tsx'
import { SaveBar } from '../../../ui/save-bar.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { RowMenu } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { ChangedByOthers } from '../changed-by-others.tsx'
import { CountingAnew } from '../counting-anew.tsx'
import { type Impact, ImpactDialog } from '../impact-dialog.tsx'
import { RenameDialog } from '../rename-dialog.tsx'
import { ConditionsEditor } from '../sentence/conditions-editor.tsx'
import { useConditionValues } from '../sentence/use-condition-values.ts'
import { UnsavedChangesDialog } from '../unsaved-changes-dialog.tsx'
import { useSaving } from '../use-saving.ts'
import { FittingTickets } from './fitting-tickets.tsx'
import { changesOf, draftOf, fieldsOf, isTarget, type Policy, type PolicyDraft, rewritten } from './policy.ts'
import styles from './sla.module.css'
import { TargetsTable } from './targets-table.tsx'
import { useCalendarNames, useCalendars } from './use-calendars.ts'

const path = '/api/admin/sla-policies/list'

/** One policy: for which tickets it is, what it promises, and how it counts. `new` for one that is added. */
export function PolicyPage() {
  const { policyId } = useParams<{ policyId: string }>()
  const list = useApiQuery(path, {}, whileEdited)
  const calendars = useCalendars()
  const isNew = policyId === 'new'
  const query = { ...list, data: calendars && list.data }
  const policy = list.data?.policies.find(({ id }) => String(id) === policyId)
  const title = policy?.name ?? (isNew ? t('sla.newPolicy') : t('sla.policy'))
  if (!list.data || !calendars || (!policy && !isNew))
    return (
      <AdminPage title={title} above={{ to: '/sla', label: t('sla.title') }}>
        <QueryState query={query}>{() => <StateMessage kind="404" title={t('sla.gone')} />}</QueryState>
      </AdminPage>
    )
  const usual = calendars.find(({ is_default }) => is_default) ?? calendars[0]
  return (
    <Editor
      key={`${policyId} ${policy?.version}`}
      policy={policy}
      count={list.data.policies.filter(({ is_archived }) => !is_archived).length}
      usualCalendarId={usual?.id ?? 0}
    />
  )
}

interface EditorProps {
  policy: Policy | undefined
  count: number
  usualCalendarId: number
}

function Editor({ policy, count, usualCalendarId }: EditorProps) {
  const id = useId()
  const navigate = useNavigate()
  const saved = draftOf(policy, usualCalendarId)
  const [draft, setDraft] = useState(saved)
  const [impact, setImpact] = useState<Impact>()
  const [isForOpen, setForOpen] = useState(false)
  const { isBusy, failure, isStale, run, refuse, clearFailure } = useSaving()
  const [isLeaving, setLeaving] = useState(false)
  const [isRenaming, setRenaming] = useState(false)
  const [isArchiving, setArchiving] = useState(false)
  const calendars = useCalendars() ?? []
  const calendar = useCalendarNames()
  const values = useConditionValues(
    [saved, draft].flatMap(({ conditions }) => conditions.all.flatMap(({ any }) => any))
  )
  const changes = changesOf(saved, draft, { values, calendar })
  const change = (changed: Partial<PolicyDraft>) => setDraft({ ...draft, ...changed })

  /** Shows what saving moves. What cannot be read takes the focus instead. */
  async function review() {
    const fields = fieldsOf(draft)
    if (!fields || !draft.name.trim()) return refuse(t('sla.mendFirst'))
    await run(async () => {
      setImpact(await post('/api/admin/sla-policies/impact', { ...(policy && { id: policy.id }), ...fields }))
    })
  }

  async function save(isOverOthers = false) {
    const read = fieldsOf(draft)
    if (!read) return
    const fields = { ...read, ...(isForOpen && { apply_to_open: 1 as const }) }
    const isSaved = await run(async () => {
      if (policy) {
        const version = isOverOthers ? {} : { expected_version: policy.version }
        await post('/api/admin/sla-policies/update', { id: policy.id, ...fields, ...version })
        announce(t('admin.saved'))
        await reloadQueries(path)
      } else {
        const created = await post('/api/admin/sla-policies/create', fields)
        announce(t('admin.saved'))
        setLeaving(true)
        await reloadQueries(path)
        void navigate({ to: '/sla/$policyId', params: { policyId: String(created.policy.id) }, replace: true })
      }
    })
    if (!isSaved) setImpact(undefined)
  }

  async function turn() {
    if (!policy) return
    try {
      const { id, is_active, version } = policy
      await post('/api/admin/sla-policies/update', { id, is_active: is_active ? 0 : 1, expected_version: version })
      announce(t(is_active ? 'sla.isOffNow' : 'sla.isOnNow'))
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    }
    await reloadQueries(path)
  }

  const hasChanges = changes.length > 0 && !isLeaving
  return (
    <AdminPage
      title={policy?.name ?? t('sla.newPolicy')}
      above={{ to: '/sla', label: t('sla.title') }}
      lede={
        policy
          ? [
              t('sla.placeOf', { number: policy.position, total: count, version: policy.version }),
              !policy.is_active && t('sla.isOffText')
            ]
              .filter(Boolean)
              .join(' ')
          : t('sla.newText')
      }
      actions={
        policy && (
          <>
            <Button
              disabled={hasChanges}
              reason={hasChanges ? t('sla.saveFirst') : undefined}
              onClick={() => void turn()}
            >
              {t(policy.is_active ? 'admin.turnOffNow' : 'admin.turnOnNow')}
            </Button>
            <RowMenu
              label={t('admin.actionsFor', { name: policy.name })}
              items={[
                { label: t('sla.rename'), onSelect: () => setRenaming(true) },
                {
                  label: t('definition.archiveMore'),
                  danger: true,
                  disabledReason: hasChanges ? t('sla.saveFirst') : undefined,
                  onSelect: () => setArchiving(true)
                }
              ]}
            />
          </>
        )
      }
      foot={
        hasChanges && (
          <SaveBar
            changes={changes}
            saveLabel={t('definition.reviewAndSave')}
            busy={isBusy}
            onSave={() => void review()}
            onDiscard={() => {
              setDraft(saved)
              clearFailure()
            }}
          />
        )
      }
    >
      {policy && <CountingAnew />}
      {isStale && <ChangedByOthers onSaveOver={() => void save(true)} onShowTheirs={() => void reloadQueries(path)} />}
      {failure && <Banner tone="bad">{failure}</Banner>}
      <div className={styles.columns}>
        <div className={styles.stack}>
          {!policy && (
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
          <section className="card" aria-labelledby={`${id}-which`}>
            <div className="hd">
              <h2 id={`${id}-which`}>{t('sla.whichTickets')}</h2>
            </div>
            <ConditionsEditor
              conditions={draft.conditions}
              emptyText={t('sla.everyOther')}
              onChange={conditions => change({ conditions })}
            />
          </section>
          <section className="card" aria-labelledby={`${id}-targets`}>
            <div className="hd">
              <h2 id={`${id}-targets`} className="grow">
                {t('sla.targets')}
              </h2>
              <span className={styles.since}>{t('sla.countedBy')}</span>
              <Picker
                label={t('sla.countedBy')}
                align="end"
                items={calendars
                  .filter(({ id, is_archived }) => !is_archived || id === draft.calendarId)
                  .map(({ id, name }) => ({ id, label: name }))}
                selected={draft.calendarId}
                trigger={trigger => (
                  <Part {...trigger} hasChevron icon={Clock}>
                    {calendar(draft.calendarId)}
                  </Part>
                )}
                onChange={calendarId =>
                  change({
                    calendarId,
                    targets: Object.fromEntries(
                      Object.entries(draft.targets).map(([cell, target]) => [
                        cell,
                        target.calendarId === draft.calendarId ? { ...target, calendarId } : target
                      ])
                    )
                  })
                }
              />
            </div>
            <TargetsTable draft={draft} calendars={calendars} onChange={targets => change({ targets })} />
          </section>
          <section className="card" aria-labelledby={`${id}-how`}>
            <div className="hd">
              <h2 id={`${id}-how`}>{t('sla.howItCounts')}</h2>
            </div>
            <fieldset className={styles.line}>
              <legend className="visually-hidden">{t('sla.standsWhile')}</legend>
              <span className="grow" aria-hidden>
                {t('sla.standsWhile')}
              </span>
              {(['answered', 'snoozed'] as const).map(state => (
                <Checkbox
                  key={state}
                  label={t(`sla.pause.${state}`)}
                  checked={draft.pauseOn.includes(state)}
                  onChange={isOn =>
                    change({
                      pauseOn: isOn ? [...draft.pauseOn, state] : draft.pauseOn.filter(other => other !== state)
                    })
                  }
                />
              ))}
            </fieldset>
            <div className={styles.line}>
              <span className="grow" aria-hidden>
                {t('sla.whenReopened')}
              </span>
              <SegmentedControl
                label={t('sla.whenReopened')}
                options={[
                  { value: 'resume', label: t('sla.reopen.resume') },
                  { value: 'restart', label: t('sla.reopen.restart') }
                ]}
                value={draft.onReopen}
                onChange={onReopen => change({ onReopen })}
              />
            </div>
            <div className={styles.line}>
              <label htmlFor={`${id}-warn`} className="grow">
                {t('sla.warnBefore')}
              </label>
              <input
                id={`${id}-warn`}
                className={`input ${styles.target}`}
                type="text"
                autoComplete="off"
                placeholder={t('sla.never')}
                value={draft.warn}
                aria-invalid={isTarget(draft.warn) ? undefined : true}
                onChange={event => change({ warn: event.target.value })}
                onBlur={() => change({ warn: rewritten(draft.warn) })}
              />
            </div>
          </section>
        </div>
        <FittingTickets conditions={draft.conditions} />
      </div>
      {isRenaming && (
        <RenameDialog
          title={t('sla.renameTitle')}
          name={draft.name}
          onSave={name => change({ name })}
          onClose={() => setRenaming(false)}
        />
      )}
      {policy && isArchiving && (
        <AsyncConfirmDialog
          title={t('definition.archiveNamed', { name: policy.name })}
          text={t('sla.archiveMeans')}
          confirmLabel={t('definition.archive')}
          keepLabel={t('definition.keep')}
          onConfirm={async () => {
            await post('/api/admin/sla-policies/archive', { id: policy.id, expected_version: policy.version })
            void navigate({ to: '/sla' })
            await reloadQueries(path)
          }}
          onClose={() => setArchiving(false)}
        />
      )}
      {impact && (
        <ImpactDialog
          text={`${changes.join(', ')}. ${t('sla.countedStays')}`}
          impact={impact}
          saveLabel={t('sla.savePolicy')}
          busy={isBusy}
          onSave={() => void save()}
          onClose={() => setImpact(undefined)}
        >
          <Checkbox label={t('sla.forOpen')} hint={t('sla.forOpenHint')} checked={isForOpen} onChange={setForOpen} />
        </ImpactDialog>
      )}
      <UnsavedChangesDialog
        hasChanges={hasChanges}
        title={t('sla.unsaved')}
        onSave={async () => {
          void review()
          return false
        }}
      />
    </AdminPage>
  )
}
