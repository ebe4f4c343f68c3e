import { Plus } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { Link, useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { CountingAnew } from '../counting-anew.tsx'
import { ShowArchived } from '../show-archived.tsx'
import tables from '../tables.module.css'
import { eachDay } from './calendar.ts'
import { weekdayAndTime } from './calendar-dates.ts'
import styles from './hours.module.css'
import type { Span } from './typed-times.ts'
import { calendarsPath, type ListedCalendar, usePolicyCounts } from './use-calendars.ts'
import { ZoneField } from './zone-field.tsx'

/** All business hours, with what they say now. */
export function CalendarsPage() {
  const calendars = useApiQuery(calendarsPath, {})
  const [isAdding, setAdding] = useState(false)
  const [areArchivedShown, setArchivedShown] = useState(false)
  const countOf = usePolicyCounts()
  return (
    <AdminPage
      title={t('hours.title')}
      lede={t('hours.lede')}
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
          {t('hours.add')}
        </Button>
      }
    >
      <CountingAnew />
      <QueryState query={calendars}>
        {({ calendars }) => {
          const archived = calendars.filter(({ is_archived }) => is_archived).length
          return (
            <>
              <Table
                label={t('hours.title')}
                columns={columns(countOf)}
                rows={calendars.filter(({ is_archived }) => areArchivedShown || !is_archived)}
                rowKey={({ id }) => id}
                isOff={({ is_archived }) => is_archived === 1}
              />
              {archived > 0 && (
                <p className={tables.hint}>
                  <ShowArchived count={archived} areShown={areArchivedShown} onChange={setArchivedShown} />
                </p>
              )}
            </>
          )
        }}
      </QueryState>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </AdminPage>
  )
}

const columns = (countOf: (id: number) => number): Column<ListedCalendar>[] => [
  {
    key: 'name',
    label: t('admin.name'),
    cell: ({ id, name, is_default, is_archived }) => (
      <span className="row-x wrap">
        <Link to="/hours/$calendarId" params={{ calendarId: String(id) }} className={`row-link ${styles.name}`}>
          {name}
        </Link>
        {is_default === 1 && <Badge tone="accent">{t('hours.isDefault')}</Badge>}
        {is_archived === 1 && <Badge>{t('definition.archived')}</Badge>}
      </span>
    )
  },
  { key: 'zone', label: t('hours.zone'), cell: ({ time_zone }) => <span className="t2">{time_zone}</span> },
  { key: 'state', label: t('hours.state'), cell: calendar => <OpenState calendar={calendar} /> },
  {
    key: 'used',
    label: t('hours.usedBy'),
    cell: ({ id }) => <span className="t2">{countOf(id) > 0 && t('hours.usedCount', { count: countOf(id) })}</span>
  }
]

/** "Open now", or until when it is closed. */
function OpenState({ calendar: { id, time_zone, is_always } }: { calendar: ListedCalendar }) {
  const [from] = useState(() => new Date().toISOString())
  const preview = useApiQuery('/api/admin/calendars/preview', { id, from, minutes: 1 }, { enabled: !is_always })
  if (is_always) return <span className={styles.open}>{t('hours.openNow')}</span>
  if (!preview.data) return null
  const [first] = preview.data.steps
  if (!preview.data.due_at || !first) return <span className="t2">{t('hours.neverOpen')}</span>
  if (first.kind === 'counted') return <span className={styles.open}>{t('hours.openNow')}</span>
  const opens = preview.data.steps.find(({ kind }) => kind === 'counted')?.from ?? first.to
  return <span className="t2">{t('hours.closedUntil', { time: weekdayAndTime(time_zone, new Date(opens)) })}</span>
}

/** New hours begin with a usual week. */
function AddDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [zone, setZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  const form = useForm(
    { name: '' },
    { reasons: { calendar_exists: { name: t('hours.nameTaken') } }, failureText: adminFailureText }
  )

  async function create({ name }: typeof form.values) {
    const hours = eachDay((day): Span[] => (day === 'sat' || day === 'sun' ? [] : [['09:00', '17:00']]))
    const weeks = [{ valid_from: null, hours }]
    const { calendar } = await post('/api/admin/calendars/create', { name, time_zone: zone, weeks, days: [] })
    await reloadQueries(calendarsPath)
    void navigate({ to: '/hours/$calendarId', params: { calendarId: String(calendar.id) } })
  }

  return (
    <FormDialog
      title={t('hours.addTitle')}
      form={form}
      saveLabel={t('hours.create')}
      busyLabel={t('hours.creating')}
      keepLabel={t('definition.discard')}
      onSave={create}
      onClose={onClose}
    >
      <p>{t('hours.addText')}</p>
      <TextField label={t('admin.name')} maxLength={100} autoComplete="off" {...form.field('name')} />
      <ZoneField zone={zone} onChange={setZone} />
    </FormDialog>
  )
}
