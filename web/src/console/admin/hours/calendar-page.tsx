import { Pencil } from 'lucide-react'
import { Fragment, useId, useRef, useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery, whileEdited } from '../../../app/api-queries.ts'
import { hasReason } from '../../../app/failures.ts'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { useParams, useSearch } from '../../../router/react.tsx'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { Part } from '../../../ui/part.tsx'
import { Picker } from '../../../ui/picker.tsx'
import { SaveBar } from '../../../ui/save-bar.tsx'
import { RowMenu } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast.tsx'
import { ownerName } from '../../actor-text.ts'
import { adminFailureText } from '../../admin-failure-text.ts'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { Link, useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { ChangedByOthers } from '../changed-by-others.tsx'
import { CountingAnew } from '../counting-anew.tsx'
import { type Impact, ImpactDialog } from '../impact-dialog.tsx'
import { UnsavedChangesDialog } from '../unsaved-changes-dialog.tsx'
import {
  changesOf,
  type Draft,
  draftOf,
  firstFault,
  hoursOf,
  isClosedByWeek,
  pastChange,
  sentHours,
  weekOn
} from './calendar.ts'
import { dateText, localIn } from './calendar-dates.ts'
import { DaysCard } from './days-card.tsx'
import styles from './hours.module.css'
import { TryCard } from './try-card.tsx'
import { type Calendar, calendarPath, calendarsPath, usePoliciesBy } from './use-calendars.ts'
import { WeekRows } from './week-rows.tsx'
import { ZoneField } from './zone-field.tsx'

const above = { to: '/hours', label: '' } as const
const reload = () => reloadQueries(calendarsPath, calendarPath)

/** The hours of one calendar: its weeks, its days, and what they come to. */
export function CalendarPage() {
  const { calendarId } = useParams<{ calendarId: string }>()
  const calendar = useApiQuery(calendarPath, { id: Number(calendarId) }, whileEdited)
  const found = calendar.data?.calendar
  if (found) return <Editor key={`${found.id} ${found.version}`} calendar={found} />
  return (
    <AdminPage title={t('hours.title')} above={{ ...above, label: t('hours.title') }}>
      <QueryState query={calendar}>{() => null}</QueryState>
    </AdminPage>
  )
}

function Editor({ calendar }: { calendar: Calendar }) {
  const id = useId()
  const { is_always, version } = calendar
  const saved = draftOf(calendar)
  const [draft, setDraft] = useState(saved)
  const suggested = useSearch<{ days?: number }>().days
  const today = localIn(draft.time_zone, new Date()).slice(0, 10)
  const [shownWeek, setShownWeek] = useState(() => weekOn(saved, today))
  const [open, setOpen] = useState<'name' | 'from' | 'archive'>()
  const [review, setReview] = useState<{ impact: Impact; past: boolean }>()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [othersName, setOthersName] = useState<string>()
  const card = useRef<HTMLElement>(null)
  /** Counts the questions, of which only the last is answered. */
  const asked = useRef(0)
  const changes = changesOf(saved, draft)
  const hours = hoursOf(draft)
  const past = pastChange(saved, draft, today)
  const week = draft.weeks[shownWeek] ?? draft.weeks[0]
  const change = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed })

  /** Shows what saving moves. A row that cannot be read takes the focus instead. */
  async function ask(past: boolean) {
    const fault = firstFault(draft)
    if (fault) {
      setShownWeek(fault.week)
      requestAnimationFrame(() => card.current?.querySelector<HTMLElement>(`[data-day="${fault.day}"]`)?.focus())
      return
    }
    const mine = ++asked.current
    setBusy(true)
    setFailure(undefined)
    // What was ticked shows at once, its figures when they come.
    setReview(former => former && { ...former, past })
    try {
      const impact = await post('/api/admin/calendars/impact', { id: calendar.id, ...sent(past) })
      if (mine === asked.current) setReview({ impact, past })
    } catch (error) {
      setReview(undefined)
      setFailure(adminFailureText(error))
    } finally {
      if (mine === asked.current) setBusy(false)
    }
  }

  /** An answer that is still to come opens the review no more. */
  function closeReview() {
    asked.current++
    setBusy(false)
    setReview(undefined)
  }

  const sent = (withPast: boolean) => sentHours(saved, draft, today, withPast)

  async function save(withPast: boolean, isOverOthers = false) {
    setBusy(true)
    setFailure(undefined)
    try {
      const expected = isOverOthers ? {} : { expected_version: version }
      await post('/api/admin/calendars/update', { id: calendar.id, ...sent(withPast), ...expected })
      announce(t('admin.saved'))
      await reload()
    } catch (error) {
      setReview(undefined)
      if (hasReason(error, 'version_conflict')) setOthersName(await whoChanged(calendar.id))
      else setFailure(adminFailureText(error))
    } finally {
      setBusy(false)
    }
  }

  const isLocked = is_always === 1
  const text = changes.join(', ')
  return (
    <AdminPage
      title={calendar.name}
      above={{ ...above, label: t('hours.title') }}
      lede={<Uses calendar={calendar} />}
      actions={
        <>
          {!isLocked && (
            <Button icon={Pencil} onClick={() => setOpen('name')}>
              {t('hours.nameAndZone')}
            </Button>
          )}
          <More calendar={calendar} onArchive={() => setOpen('archive')} />
        </>
      }
      foot={
        changes.length > 0 && (
          <SaveBar
            changes={changes}
            saveLabel={t('definition.reviewAndSave')}
            busy={isBusy}
            onSave={() => void ask(past?.isWhole ?? false)}
            onDiscard={() => {
              setDraft(saved)
              setFailure(undefined)
            }}
          />
        )
      }
    >
      <CountingAnew />
      {calendar.is_archived === 1 && <Banner>{t('hours.isArchived')}</Banner>}
      {othersName !== undefined && (
        <ChangedByOthers
          name={othersName}
          onSaveOver={() => void save(review?.past ?? false, true)}
          onShowTheirs={() => void reload()}
        />
      )}
      {failure && <Banner tone="bad">{failure}</Banner>}
      {isLocked || !week ? (
        <section className="card">
          <p className={styles.always}>{t('hours.alwaysText')}</p>
        </section>
      ) : (
        <div className={styles.columns}>
          <div className={styles.stack}>
            <section ref={card} className="card" aria-labelledby={`${id}-week`}>
              <div className="hd">
                <h2 id={`${id}-week`} className="grow">
                  {t('hours.week')}
                </h2>
                <span className={styles.since}>{t('hours.since')}</span>
                <Picker
                  label={t('hours.since')}
                  align="end"
                  items={draft.weeks.map(({ valid_from }, id) => ({ id, label: sinceText(valid_from) }))}
                  selected={shownWeek}
                  trigger={trigger => (
                    <Part {...trigger} hasChevron aria-label={`${t('hours.since')} ${sinceText(week.valid_from)}`}>
                      {sinceText(week.valid_from)}
                    </Part>
                  )}
                  onChange={setShownWeek}
                />
                <Button variant="quiet" onClick={() => setOpen('from')}>
                  {t('hours.fromDateMore')}
                </Button>
              </div>
              {shownWeek < weekOn(draft, today) ? (
                <fieldset disabled className={styles.over}>
                  <legend>{t('hours.weekIsOver')}</legend>
                  <WeekRows typed={week.typed} onChange={() => undefined} />
                </fieldset>
              ) : (
                <WeekRows
                  typed={week.typed}
                  onChange={typed => change({ weeks: draft.weeks.with(shownWeek, { ...week, typed }) })}
                />
              )}
              {week.valid_from !== null && week.valid_from > today && (
                <p className={styles.fold}>
                  <button
                    type="button"
                    className="link"
                    onClick={() => {
                      change({ weeks: draft.weeks.toSpliced(shownWeek, 1) })
                      setShownWeek(shownWeek - 1)
                    }}
                  >
                    {t('hours.removeWeek')}
                  </button>
                </p>
              )}
            </section>
            <DaysCard
              days={draft.days}
              today={today}
              suggested={Number.isInteger(suggested) ? suggested : undefined}
              isClosedAnyway={date => isClosedByWeek(draft, date)}
              onChange={days => change({ days })}
            />
          </div>
          <TryCard zone={draft.time_zone} hours={hours} />
        </div>
      )}
      {open === 'name' && (
        <NameDialog draft={draft} onSave={changed => change(changed)} onClose={() => setOpen(undefined)} />
      )}
      {open === 'from' && week && (
        <FromDialog
          today={today}
          onSave={valid_from => {
            const known = draft.weeks.findIndex(other => other.valid_from === valid_from)
            if (known >= 0) return setShownWeek(known)
            const weeks = [...draft.weeks, { valid_from, typed: week.typed }].toSorted(bySince)
            change({ weeks })
            setShownWeek(weeks.findIndex(other => other.valid_from === valid_from))
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'archive' && (
        <AsyncConfirmDialog
          title={t('definition.archiveNamed', { name: calendar.name })}
          text={t('hours.archiveMeans')}
          confirmLabel={t('definition.archive')}
          keepLabel={t('definition.keep')}
          onConfirm={async () => {
            await post('/api/admin/calendars/archive', { id: calendar.id, expected_version: version })
            setOpen(undefined)
            await reload()
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {review && (
        <ImpactDialog
          text={t(review.past ? 'hours.andPast' : 'hours.fromToday', { changes: text })}
          impact={review.impact}
          saveLabel={t('hours.save')}
          busy={isBusy}
          onSave={() => void save(review.past)}
          onClose={closeReview}
        >
          {past && (
            <Checkbox
              label={past.since ? t('hours.countPast', { date: dateText(past.since) }) : t('hours.countPastAll')}
              hint={past.isWhole ? t('hours.zonePast') : t('hours.countPastHint')}
              checked={review.past}
              disabled={past.isWhole}
              onChange={isOn => void ask(isOn)}
            />
          )}
        </ImpactDialog>
      )}
      <UnsavedChangesDialog
        hasChanges={changes.length > 0}
        title={t('hours.unsaved')}
        onSave={async () => {
          void ask(past?.isWhole ?? false)
          return false
        }}
      />
    </AdminPage>
  )
}

/** "Europe/Berlin. Standard and Gold count by these hours.", each as a link. */
function Uses({ calendar: { id, time_zone } }: { calendar: Calendar }) {
  const policies = usePoliciesBy()(id)
  if (policies.length === 0) return t('hours.nobodyCounts', { zone: time_zone })
  return (
    <>
      {time_zone}.{' '}
      {policies.map((policy, at) => (
        <Fragment key={policy.id}>
          {at > 0 && ', '}
          <Link to="/sla/$policyId" params={{ policyId: String(policy.id) }} className="link">
            {policy.name}
          </Link>
        </Fragment>
      ))}{' '}
      {t('hours.countBy', { count: policies.length })}
    </>
  )
}

function More({ calendar, onArchive }: { calendar: Calendar; onArchive: () => void }) {
  const navigate = useNavigate()
  const { id, name, time_zone, is_always, is_default, is_archived, weeks, days, version } = calendar

  async function act(work: () => Promise<unknown>, said?: string) {
    try {
      await work()
      if (said) announce(said)
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    }
    await reload()
  }

  async function copy() {
    const named = { name: t('hours.copyOf', { name }), time_zone, is_always, weeks, days: [...days] }
    const created = await post('/api/admin/calendars/create', named)
    void navigate({ to: '/hours/$calendarId', params: { calendarId: String(created.calendar.id) } })
  }

  const expected = { id, expected_version: version }
  const items: MenuItem[] = [
    {
      label: t('hours.makeDefault'),
      disabledReason: is_default ? t('hours.isDefaultNow', { name }) : undefined,
      onSelect: () =>
        void act(
          () => post('/api/admin/calendars/update', { ...expected, is_default: 1 }),
          t('hours.isDefaultNow', { name })
        )
    },
    { label: t('hours.copy'), onSelect: () => void act(copy) },
    is_archived
      ? {
          label: t('definition.unarchive'),
          onSelect: () => void act(() => post('/api/admin/calendars/unarchive', expected))
        }
      : { label: t('definition.archiveMore'), danger: true, onSelect: onArchive }
  ]
  return <RowMenu items={items} label={t('hours.actionsFor', { name })} />
}

interface NameDialogProps {
  draft: Draft
  onSave: (changed: Pick<Draft, 'name' | 'time_zone'>) => void
  onClose: () => void
}

/** Name and zone become changes of the page, which are reviewed with the others. */
function NameDialog({ draft, onSave, onClose }: NameDialogProps) {
  const form = useForm({ name: draft.name }, { check: ({ name }) => ({ name: !name.trim() && t('ui.fieldMissing') }) })
  const [zone, setZone] = useState(draft.time_zone)
  return (
    <FormDialog
      title={t('hours.nameAndZone')}
      form={form}
      isChanged={zone !== draft.time_zone}
      saveLabel={t('definition.take')}
      keepLabel={t('definition.discard')}
      onSave={async ({ name }) => onSave({ name: name.trim(), time_zone: zone })}
      onClose={onClose}
    >
      <TextField label={t('admin.name')} maxLength={100} autoComplete="off" {...form.field('name')} />
      <ZoneField zone={zone} onChange={setZone} />
    </FormDialog>
  )
}

/** From which date on the copied week holds. */
function FromDialog(props: { today: string; onSave: (date: string) => void; onClose: () => void }) {
  const { today, onSave, onClose } = props
  const form = useForm({ date: '' }, { check: ({ date }) => ({ date: date <= today && t('hours.firstDayUnfit') }) })
  return (
    <FormDialog
      title={t('hours.fromDateTitle')}
      form={form}
      saveLabel={t('hours.copyWeek')}
      keepLabel={t('definition.discard')}
      onSave={async ({ date }) => onSave(date)}
      onClose={onClose}
    >
      <p>{t('hours.fromDateText')}</p>
      <TextField label={t('hours.firstDay')} type="date" min={today} {...form.field('date')} />
    </FormDialog>
  )
}

function sinceText(since: string | null): string {
  return since === null ? t('hours.fromStart') : dateText(since)
}

function bySince(one: { valid_from: string | null }, other: { valid_from: string | null }): number {
  return (one.valid_from ?? '') < (other.valid_from ?? '') ? -1 : 1
}

/** Whose change was saved meanwhile; empty if nobody can say. */
async function whoChanged(id: number): Promise<string> {
  const found = await post('/api/admin/audit/list', { target_type: 'calendar', target_id: id, limit: 1 }).catch(
    () => undefined
  )
  const last = found?.entries[0]
  return last ? ownerName(last) : ''
}
