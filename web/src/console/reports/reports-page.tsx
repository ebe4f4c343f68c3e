import { DesklineError } from '@deskline/client'
import { CalendarRange, ChartColumn, ChevronDown, Download, Ellipsis, Link2, MonitorUp, Plus, User } from 'lucide-react'
import { useEffect } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { useMe } from '../../app/me.ts'
import { QueryState } from '../../app/query-state.tsx'
import { t } from '../../lib/strings.ts'
import { endTime, instantOf, numberText } from '../../lib/times.ts'
import { useSearch } from '../../router/react.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { toast } from '../../ui/toast.tsx'
import { Link, useNavigate } from '../navigation.ts'
import { openNewTicket } from '../overlay.ts'
import { useIsPhone } from '../use-layout.ts'
import { Chart, Legend } from './chart.tsx'
import { Comments } from './comments.tsx'
import { spanText } from './day-texts.ts'
import { downloadCsv } from './download-csv.ts'
import { FigureTabs, ReportsSkeleton } from './figures.tsx'
import { FilterChips } from './filter-chips.tsx'
import { GroupTable } from './group-table.tsx'
import { NotAsked } from './not-asked.tsx'
import { questionOf, reportsShown, spanOf } from './report-question.ts'
import {
  figures as allFigures,
  type ChooseReport,
  type FigureName,
  filterPart,
  type GroupName,
  groups,
  ownFigures,
  type ReportSearch,
  reportSearchOf,
  type Unit,
  units
} from './report-search.ts'
import styles from './reports.module.css'
import { TimeChoice } from './time-choice.tsx'
import { slaShare, toldFigure } from './told-figures.ts'
import { type Figures, useReports } from './use-reports.ts'

const addresses = {
  new: '/api/admin/reports/volume',
  first_reply: '/api/admin/reports/first-response',
  solved_in: '/api/admin/reports/resolution',
  sla: '/api/admin/reports/sla',
  satisfaction: '/api/admin/reports/csat',
  answered: '/api/admin/reports/agents',
  solved: '/api/admin/reports/agents'
} as const satisfies Record<FigureName, string>

/**
 * How the desk does: five figures, the chart of one, and the same by department and so on. Without `tickets.view_all` these are the own numbers:
 * those of others are not in the page.
 */
export function ReportsPage() {
  const isOwn = !useMe().can('tickets.view_all')
  return isOwn ? <OwnReportsPage /> : <Reports isOwn={false} />
}

/** What one has done oneself, for whoever may see more as well. */
export function OwnReportsPage() {
  const { id, can } = useMe()
  return <Reports isOwn {...(can('tickets.view_all') && { staff: id })} />
}

function Reports({ isOwn, staff }: { isOwn: boolean; staff?: number }) {
  const asked = useSearch()
  const given = reportSearchOf(asked)
  const navigate = useNavigate()
  const names: readonly FigureName[] = isOwn ? ownFigures : allFigures
  const search = {
    ...given,
    figure: names.includes(given.figure) ? given.figure : names[0]!,
    ...(staff !== undefined && { staff })
  }
  const { main, figures } = useReports(search, isOwn)
  const to = staff === undefined ? '/reports' : '/reports/mine'
  // The unit stands in the address only once it was chosen: another time or figure has another one.
  const own = {
    ...search,
    staff: staff === undefined ? search.staff : undefined,
    by: units.find(by => by === asked.by)
  }
  const choose: ChooseReport = changes => void navigate({ to, search: { ...own, ...changes }, replace: true })
  useEffect(() => reportsShown.set({ to, search: own }))
  const told = toldFigure(search.figure, figures)
  if (main.error instanceof DesklineError && main.error.errors?.includes('from')) {
    return (
      <Page title={t(isOwn ? 'reports.ownTitle' : 'reports.title')}>
        <StateMessage
          icon={CalendarRange}
          title={t('reports.shorter')}
          text={main.error.message}
          action={{
            label: t('reports.days.365'),
            onClick: () => choose({ days: 365, from: undefined, to: undefined, by: undefined })
          }}
        />
      </Page>
    )
  }
  return (
    <Page
      title={t(isOwn ? 'reports.ownTitle' : 'reports.title')}
      lede={isOwn ? t('reports.ownLede') : undefined}
      actions={<Actions search={search} isOwn={isOwn} />}
    >
      <div className={styles.filters}>
        <p className={styles.printed}>
          {spanText(spanOf(search))} · {t(`reports.${search.hours}`)}
        </p>
        <TimeChoice search={search} onChoose={choose} />
        {!isOwn && (
          <div className={styles.chips}>
            <FilterChips search={search} onChoose={choose} />
          </div>
        )}
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
      <QueryState query={main} skeleton={<ReportsSkeleton names={names} chart={search.figure} />}>
        {() => (
          <div className={styles.told} data-stale={main.isPlaceholderData || undefined}>
            <FigureTabs
              names={names}
              figures={figures}
              chosen={search.figure}
              isEmpty={isNothing(figures)}
              onChoose={figure => choose({ figure })}
            />
            {isNothing(figures) ? (
              <NoTickets search={{ ...given, figure: search.figure }} onChoose={choose} />
            ) : (
              <section
                id="report-chart"
                role="tabpanel"
                aria-labelledby={`figure-${search.figure}`}
                className={styles.panel}
              >
                <div className={styles.panelHead}>
                  <h2>{t(`reports.chart.${search.figure}`)}</h2>
                  <Legend name={search.figure} />
                  <SegmentedControl<Unit>
                    label={t('reports.unit')}
                    value={search.by}
                    options={units.map(value => ({ value, label: t(`reports.by.${value}`) }))}
                    onChange={by => choose({ by })}
                  />
                </div>
                <Chart name={search.figure} points={told?.points ?? []} search={search}>
                  <Foot
                    figure={search.figure}
                    zone={(figures.volume ?? figures.agents)?.time_zone}
                    upTo={(figures.volume ?? figures.agents)?.filled_to}
                  />
                </Chart>
              </section>
            )}
            {(isOwn || search.figure === 'satisfaction') && (
              <div className={styles.beside}>
                <Comments search={search} isOwn={isOwn} />
                {!isOwn && <AskedAndAnswered figures={figures} search={search} />}
              </div>
            )}
            {!isOwn && !isNothing(figures) && <Groups figures={figures} search={search} onChoose={choose} />}
          </div>
        )}
      </QueryState>
    </Page>
  )
}

/** Whether nothing at all is counted in this time. */
function isNothing({ volume, agents, firstReply, solvedIn, sla, csat }: Figures): boolean {
  if (!firstReply || !sla || !csat || !(agents ?? (volume && solvedIn))) return false
  const counts = [
    ...[volume?.totals.opened, volume?.totals.closed, volume?.totals.reopened, solvedIn?.totals.n],
    ...[agents?.totals.replies, agents?.totals.closed, firstReply.totals.n, slaShare(sla.totals).n],
    ...[csat.totals.n, csat.totals.sent]
  ]
  return counts.every(count => !count)
}

/** No tickets fit, or there is none at all yet. */
function NoTickets({ search, onChoose }: { search: ReportSearch; onChoose: ChooseReport }) {
  const { data: newest } = useApiQuery('/api/admin/tickets/list', { limit: 1 })
  const { can } = useMe()
  const isFiltered = Object.keys(filterPart(search)).length > 0 || search.from !== undefined
  const isFirst = newest !== undefined && newest.tickets.length === 0 && !isFiltered
  const { from, to } = spanOf(search)
  return (
    <section id="report-chart" role="tabpanel" aria-labelledby={`figure-${search.figure}`} className={styles.panel}>
      {isFirst ? (
        <StateMessage
          icon={ChartColumn}
          title={t('reports.firstTicket')}
          text={t('reports.firstTicketText')}
          {...(can('tickets.reply') && {
            action: { label: t('reports.testTicket'), icon: Plus, onClick: () => openNewTicket() }
          })}
        />
      ) : (
        <StateMessage
          icon={ChartColumn}
          title={t('reports.noTickets')}
          text={spanText({ from, to })}
          {...(isFiltered && {
            action: {
              label: t('reports.clearFilters'),
              onClick: () =>
                onChoose({
                  ...Object.fromEntries(groups.map(group => [group, undefined])),
                  ...{ from: undefined, to: undefined }
                })
            }
          })}
        />
      )}
    </section>
  )
}

function Groups({ figures, search, onChoose }: { figures: Figures; search: ReportSearch; onChoose: ChooseReport }) {
  return (
    <div className={`card ${styles.groups}`}>
      <div className={styles.groupHead}>
        <h2>{t(`reports.by.${search.group}`)}</h2>
        <label className={styles.groupBy}>
          {t('reports.groupBy')}
          <span className="select-box">
            <select
              className="input"
              value={search.group}
              onChange={event => onChoose({ group: event.target.value as GroupName })}
            >
              {groups.map(name => (
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
      {search.group === 'tag' && figures.volume && (
        <p className={styles.note}>{t('reports.tagsOverlap', { count: numberText(figures.volume.totals.opened) })}</p>
      )}
    </div>
  )
}

/** How many were asked of those that were closed, how many have answered, and how many said that it was good. */
function AskedAndAnswered({ figures: { volume, csat }, search }: { figures: Figures; search: ReportSearch }) {
  if (!volume || !csat) return null
  const { sent, n, good } = csat.totals
  const counts = { closed: volume.totals.closed, asked: sent, rated: n, good }
  const most = Math.max(1, ...Object.values(counts))
  return (
    <section className={styles.panel} aria-labelledby="asked-and-answered">
      <div className={styles.panelHead}>
        <h2 id="asked-and-answered">{t('reports.askedAndAnswered')}</h2>
      </div>
      <dl className={styles.shares}>
        {(['closed', 'asked', 'rated', 'good'] as const).map(name => (
          <div key={name}>
            <dt>{t(`reports.asked.${name}`)}</dt>
            <dd>{numberText(counts[name])}</dd>
            <span aria-hidden>
              <span style={{ inlineSize: `${(counts[name] / most) * 100}%` }} />
            </span>
          </div>
        ))}
      </dl>
      {counts.closed > sent && <NotAsked count={counts.closed - sent} search={search} />}
      <p className={styles.note}>{t('reports.fewRatings')}</p>
    </section>
  )
}

function Actions({ search, isOwn }: { search: ReportSearch; isOwn: boolean }) {
  const isPhone = useIsPhone()
  const navigate = useNavigate()
  const download = () =>
    void downloadCsv(post(addresses[search.figure], { ...questionOf(search), group: null, format: 'csv' }))
  const links = isOwn
    ? []
    : ([
        { to: '/reports/mine', label: t('reports.ownTitle'), icon: undefined },
        { to: '/wall', label: t('reports.wall'), icon: MonitorUp }
      ] as const)
  const acts = [
    { label: t('reports.copyLink'), icon: Link2, onSelect: () => void copyLink() },
    { label: t('reports.csv'), icon: Download, onSelect: download }
  ]
  if (isPhone) {
    const opened = links.map(({ to, label, icon = User }) => ({ label, icon, onSelect: () => void navigate({ to }) }))
    return (
      <Menu
        items={[...acts, ...opened]}
        align="end"
        trigger={trigger => <IconButton {...trigger} icon={Ellipsis} label={t('reports.moreActions')} />}
      />
    )
  }
  return (
    <>
      {links.map(({ to, label, icon: Glyph }) => (
        <Link key={to} className="btn" to={to}>
          {Glyph && <Glyph size={16} aria-hidden />}
          {label}
        </Link>
      ))}
      {acts.map(({ label, icon, onSelect }) => (
        <Button key={label} icon={icon} onClick={onSelect}>
          {label}
        </Button>
      ))}
    </>
  )
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href)
    toast({ text: t('reports.copied') })
  } catch {
    toast({ text: t('reports.notCopied'), tone: 'bad' })
  }
}

const explained: Record<FigureName, string> = {
  new: 'opened',
  first_reply: 'first_response',
  solved_in: 'resolution',
  sla: 'sla',
  satisfaction: 'csat',
  answered: 'replies',
  solved: 'closed'
}

function Foot({ figure, zone, upTo }: { figure: FigureName; zone: string | undefined; upTo: string | undefined }) {
  const { data } = useApiQuery('/api/admin/reports/definitions', {}, { staleTime: Number.POSITIVE_INFINITY })
  const definition = data?.definitions.find(({ key }) => key === explained[figure])
  return (
    <>
      <details>
        <summary>{t('reports.whatIsCounted')}</summary>
        <p>{definition?.text}</p>
      </details>
      {zone && upTo && (
        <p className={styles.upTo}>{t('reports.wholeUpTo', { zone, time: endTime(instantOf(upTo)) })}</p>
      )}
    </>
  )
}
