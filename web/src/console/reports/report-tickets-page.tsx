import type { BodyOf } from '@deskline/client'
import { ArrowLeft, Download } from 'lucide-react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { QueryState } from '../../app/query-state.tsx'
import { t } from '../../lib/strings.ts'
import { fullTime, instantOf } from '../../lib/times.ts'
import { useSearch } from '../../router/react.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { Link } from '../navigation.ts'
import { bucketText } from './day-texts.ts'
import { downloadCsv } from './download-csv.ts'
import { filtersOf, reportsShown, spanOf } from './report-question.ts'
import { behindSearchOf } from './report-search.ts'
import { timeText } from './told-figures.ts'

type Asked = BodyOf<'/api/admin/reports/tickets'>

interface Behind {
  id: number
  ticket_number: string | null
  subject: string | null
  count: number
  at: string
  seconds: number | null
}

const times = ({ count }: Behind) => count
const took = ({ seconds }: Behind) => timeText(seconds)

/** The tickets behind a figure of a report. */
export function ReportTicketsPage() {
  const search = behindSearchOf(useSearch())
  const { figure, report, hours, by, key } = search
  // An address that was typed may name no days.
  const { from, to } = spanOf({ days: 30, from: search.from, to: search.to })
  const ofGroup = by ? { group: by, key: key === '' || key === undefined ? null : key } : {}
  const asked: Asked = {
    figure,
    from,
    to,
    ...filtersOf(search),
    ...(report && { report }),
    ...(hours && { hours }),
    ...ofGroup
  }
  const found = useApiQuery('/api/admin/reports/tickets', { ...asked, limit: 200 })
  const shown = reportsShown.get()
  return (
    <Page
      title={t('reports.ticketsOf', { figure: t(`reports.behind.${figure}`), days: bucketText({ from, to }) })}
      back={
        <Link to={shown.to} search={shown.search} className="back-link">
          <ArrowLeft size={16} aria-hidden /> {t(shown.to === '/reports' ? 'reports.title' : 'reports.ownTitle')}
        </Link>
      }
      actions={
        <Button
          icon={Download}
          onClick={() => void downloadCsv(post('/api/admin/reports/tickets', { ...asked, format: 'csv' }))}
        >
          {t('reports.csv')}
        </Button>
      }
    >
      <QueryState query={found} skeleton={<Skeleton rows={8} />}>
        {answer => {
          const tickets: Behind[] = 'tickets' in answer ? answer.tickets : []
          if (tickets.length === 0) return <p>{t('reports.noTickets')}</p>
          return (
            <>
              <Table
                label={t('reports.tickets')}
                rows={tickets}
                rowKey={({ id }) => id}
                columns={[
                  {
                    key: 'ticket',
                    label: t('reports.ticket'),
                    cell: ({ ticket_number, subject }) =>
                      ticket_number === null ? (
                        t('reports.erased')
                      ) : (
                        <Link to="/$view/$ticket" params={{ view: 'all', ticket: ticket_number }} className="row-link">
                          {ticket_number} <bdi>{subject}</bdi>
                        </Link>
                      )
                  },
                  { key: 'at', label: t('reports.when'), cell: ({ at }) => fullTime(instantOf(at)) },
                  ...(tickets.some(({ seconds }) => seconds !== null)
                    ? [{ key: 'seconds', label: t('reports.took'), number: true, cell: took } as const]
                    : []),
                  ...(tickets.some(({ count }) => count > 1)
                    ? [{ key: 'count', label: t('reports.times'), number: true, cell: times } as const]
                    : [])
                ]}
              />
              {'next_cursor' in answer && answer.next_cursor && <p>{t('reports.first200')}</p>}
            </>
          )
        }}
      </QueryState>
    </Page>
  )
}
