import { t } from '../../lib/strings.ts'
import { numberText } from '../../lib/times.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { Link } from '../navigation.ts'
import { keyLabel } from './key-label.ts'
import { spanOf } from './report-question.ts'
import { type BehindSearch, behindPart, type GroupName, type ReportSearch } from './report-search.ts'
import styles from './reports.module.css'
import { percentText, slaShare, timeText } from './told-figures.ts'
import type { Figures } from './use-reports.ts'

interface GroupRow {
  key: string | number | null
  label: string
  opened: number
  closed: number
  firstReply: string
  answered: number
  sla: string
  late: number
  csat: string
  rated: number
}

/** The same figures by department, person and so on, most new tickets first; each number of tickets leads to them. */
export function GroupTable({ figures, search }: { figures: Figures; search: ReportSearch }) {
  const rows = rowsOf(figures, search.group)
  const { from, to } = spanOf(search)
  const behind = (row: GroupRow, figure: BehindSearch['figure'], count: number, text = numberText(count)) =>
    count === 0 ? (
      text
    ) : (
      <Link
        to="/reports/tickets"
        search={{ figure, from, to, ...behindPart(search), by: search.group, key: row.key ?? '' }}
      >
        {text}
      </Link>
    )
  const most = Math.max(1, ...rows.map(({ opened }) => opened))
  const columns: Column<GroupRow>[] = [
    {
      key: 'label',
      label: t(`reports.group.${search.group}`),
      cell: row => (
        <span className={styles.named}>
          <bdi>{row.label}</bdi>
          <span className={styles.share} aria-hidden>
            <span style={{ inlineSize: `${(row.opened / most) * 100}%` }} />
          </span>
        </span>
      )
    },
    { key: 'opened', label: t('reports.figure.new'), number: true, cell: row => behind(row, 'opened', row.opened) },
    { key: 'closed', label: t('reports.solved'), number: true, cell: row => behind(row, 'closed', row.closed) },
    {
      key: 'first',
      label: t('reports.figure.first_reply'),
      number: true,
      cell: row => behind(row, 'first_response', row.answered, row.firstReply)
    },
    {
      key: 'sla',
      label: t('reports.figure.sla'),
      number: true,
      cell: row => behind(row, 'breached', row.late, row.sla)
    },
    {
      key: 'csat',
      label: t('reports.figure.satisfaction'),
      number: true,
      cell: row => behind(row, 'rated', row.rated, row.csat)
    }
  ]
  return (
    <Table
      label={t(`reports.by.${search.group}`)}
      columns={columns}
      rows={rows}
      rowKey={row => String(row.key)}
      density="dense"
    />
  )
}

function rowsOf({ volume, firstReply, sla, csat }: Figures, group: GroupName): GroupRow[] {
  const keys = new Map<string | number | null, string | null>()
  for (const report of [volume, firstReply, sla, csat])
    for (const { key, label } of report?.groups ?? []) keys.set(key, label)
  const of = <G extends { key: string | number | null }>(
    groups: readonly G[] | undefined,
    key: string | number | null
  ) => groups?.find(group => group.key === key)
  const rows = [...keys].map(([key, label]) => {
    const [counts, times, promises, ratings] = [
      of(volume?.groups, key),
      of(firstReply?.groups, key),
      of(sla?.groups, key),
      of(csat?.groups, key)
    ]
    return {
      key,
      label: keyLabel(group, key, label),
      opened: counts?.opened ?? 0,
      closed: counts?.closed ?? 0,
      answered: times?.n ?? 0,
      late: promises ? slaShare(promises).breached : 0,
      rated: ratings?.n ?? 0,
      firstReply: timeText(times?.median_seconds ?? null),
      sla: promises ? percentText(slaShare(promises).percent) : '–',
      csat:
        !ratings || ratings.n === 0
          ? '–'
          : ratings.percent_good === null
            ? t('reports.ratingsOnly', { count: ratings.n })
            : percentText(ratings.percent_good)
    }
  })
  return rows.toSorted((one, other) => other.opened - one.opened)
}
