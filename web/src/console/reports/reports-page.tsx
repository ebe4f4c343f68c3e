import { ChevronDown, Download, Link2 } from 'lucide-react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { QueryState } from '../../app/query-state.tsx'
import { t } from '../../lib/strings.ts'
import { endTime, instantOf } from '../../lib/times.ts'
import { useSearch } from '../../router/react.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { useNavigate } from '../navigation.ts'
import { Chart } from './chart.tsx'
import { FigureTabs } from './figures.tsx'
import { GroupTable } from './group-table.tsx'
import { type FigureName, type GroupName, questionOf, type ReportSearch, type Unit } from './report-search.ts'
import styles from './reports.module.css'
import { toldFigure } from './told-figures.ts'
import { useReports } from './use-reports.ts'

const addresses = {
  new: '/api/admin/reports/volume',
  first_reply: '/api/admin/reports/first-response',
  solved_in: '/api/admin/reports/resolution',
  sla: '/api/admin/reports/sla',
  satisfaction: '/api/admin/reports/csat'
} as const satisfies Record<FigureName, string>

const groupNames: readonly GroupName[] = ['department', 'staff', 'tag', 'priority', 'organisation', 'channel']

/** How the desk does: five figures, the chart of one, and the same by department and so on. */
export function ReportsPage() {
  const search = useSearch<ReportSearch>()
  const navigate = useNavigate()
  const { volume, figures } = useReports(search)
  const choose = (changes: Partial<ReportSearch>) =>
    void navigate({ to: '/reports', search: { ...search, ...changes }, replace: true })
  const told = toldFigure(search.figure, figures)
  return (
    <Page title={t('reports.title')} actions={<Actions search={search} />}>
      <div className={styles.filters}>
        <SegmentedControl
          label={t('reports.time')}
          value={String(search.days)}
          options={['7', '30', '365'].map(value => ({
            value,
            label: t(`reports.days.${value as '7' | '30' | '365'}`)
          }))}
          onChange={days =>
            choose({ days: Number(days) as ReportSearch['days'], by: days === '365' ? 'month' : 'day' })
          }
        />
        <DepartmentChip chosen={search.department} onChoose={department => choose({ department })} />
        <SegmentedControl
          label={t('reports.hours')}
          value={search.hours}
          options={[
            { value: 'clock', label: t('reports.clock') },
            { value: 'open', label: t('reports.open') }
          ]}
          onChange={hours => choose({ hours })}
        />
      </div>
      <QueryState query={volume} skeleton={<Skeleton rows={8} />}>
        {() => (
          <div className={styles.told} data-stale={volume.isPlaceholderData || undefined}>
            <FigureTabs figures={figures} chosen={search.figure} onChoose={figure => choose({ figure })} />
            <section
              id="report-chart"
              role="tabpanel"
              aria-labelledby={`figure-${search.figure}`}
              className={styles.panel}
            >
              <div className={styles.panelHead}>
                <h2>{t(`reports.chart.${search.figure}`)}</h2>
                <SegmentedControl<Unit>
                  label={t('reports.unit')}
                  value={search.by}
                  options={(['day', 'week', 'month'] as const).map(value => ({
                    value,
                    label: t(`reports.by.${value}`)
                  }))}
                  onChange={by => choose({ by })}
                />
              </div>
              <Chart name={search.figure} points={told?.points ?? []} search={search} />
              <Foot figure={search.figure} zone={figures.volume?.time_zone} upTo={figures.volume?.filled_to} />
            </section>
            <div className={styles.groupHead}>
              <h2>{t(`reports.by.${search.group}`)}</h2>
              <label className={styles.groupBy}>
                {t('reports.groupBy')}
                <span className="select-box">
                  <select
                    className="input"
                    value={search.group}
                    onChange={event => choose({ group: event.target.value as GroupName })}
                  >
                    {groupNames.map(name => (
                      <option key={name} value={name}>
                        {t(`reports.group.${name}`)}
                      </option>
                    ))}
                  </select>
                  <ChevronDown size={16} aria-hidden />
                </span>
              </label>
            </div>
            <GroupTable figures={figures} search={search} />
            {search.group === 'tag' && <p className={styles.note}>{t('reports.tagsOverlap')}</p>}
          </div>
        )}
      </QueryState>
    </Page>
  )
}

function Actions({ search }: { search: ReportSearch }) {
  async function download() {
    try {
      const answer = await post(addresses[search.figure], { ...questionOf(search), group: null, format: 'csv' })
      if ('url' in answer) location.assign(answer.url)
    } catch (error) {
      toast({ text: failureText(error), tone: 'bad' })
    }
  }
  return (
    <>
      <Button icon={Link2} onClick={() => void copyLink()}>
        {t('reports.copyLink')}
      </Button>
      <Button icon={Download} onClick={() => void download()}>
        {t('reports.csv')}
      </Button>
    </>
  )
}

async function copyLink(): Promise<void> {
  await navigator.clipboard.writeText(location.href)
  toast({ text: t('reports.copied') })
}

function DepartmentChip({
  chosen,
  onChoose
}: {
  chosen: number | undefined
  onChoose: (deptid: number | undefined) => void
}) {
  const { data } = useApiQuery('/api/admin/tickets/counts', {})
  const departments = data?.per_department ?? []
  if (departments.length < 2) return null
  const named = departments.find(({ deptid }) => deptid === chosen)
  return (
    <Chip
      on={chosen !== undefined}
      onClear={chosen === undefined ? undefined : () => onChoose(undefined)}
      menu={departments.map(({ deptid, name }) => ({ label: name, onSelect: () => onChoose(deptid) }))}
    >
      {named?.name ?? t('reports.group.department')}
    </Chip>
  )
}

const explained: Record<FigureName, string> = {
  new: 'opened',
  first_reply: 'first_response',
  solved_in: 'resolution',
  sla: 'sla',
  satisfaction: 'csat'
}

function Foot({ figure, zone, upTo }: { figure: FigureName; zone: string | undefined; upTo: string | undefined }) {
  const { data } = useApiQuery('/api/admin/reports/definitions', {}, { staleTime: Number.POSITIVE_INFINITY })
  const definition = data?.definitions.find(({ key }) => key === explained[figure])
  return (
    <div className={styles.foot}>
      <details>
        <summary>{t('reports.whatIsCounted')}</summary>
        <p>{definition?.text}</p>
      </details>
      {zone && upTo && <p>{t('reports.wholeUpTo', { zone, time: endTime(instantOf(upTo)) })}</p>}
    </div>
  )
}
