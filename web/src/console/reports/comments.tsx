import type { BodyOf } from '@deskline/client'
import { keepPreviousData } from '@tanstack/react-query'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { QueryState } from '../../app/query-state.tsx'
import { t } from '../../lib/strings.ts'
import { instantOf, shortTime } from '../../lib/times.ts'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Link } from '../navigation.ts'
import { filtersOf, spanOf } from './report-question.ts'
import type { ReportSearch } from './report-search.ts'
import styles from './reports.module.css'

const kinds = ['all', 'bad', 'words'] as const
type Kind = (typeof kinds)[number]

/** What clients said with their ratings, the newest first; of whoever sees only themselves, what was said of them. */
export function Comments({ search, isOwn }: { search: ReportSearch; isOwn: boolean }) {
  const [kind, setKind] = useState<Kind>('words')
  const body = {
    ...{ ...spanOf(search), ...filtersOf(search), state: 'rated', limit: 50 },
    ...(kind === 'bad' ? { rating: 'bad' } : kind === 'words' ? { with_comment: 1 } : {})
  } as BodyOf<'/api/admin/csat/list'>
  const found = useApiQuery('/api/admin/csat/list', body, { placeholderData: keepPreviousData })
  return (
    <section className={styles.panel} aria-labelledby="what-they-wrote">
      <div className={styles.panelHead}>
        <h2 id="what-they-wrote">{t(isOwn ? 'reports.ownComments' : 'reports.comments')}</h2>
        <SegmentedControl<Kind>
          label={t('reports.which')}
          value={kind}
          options={kinds.map(value => ({ value, label: t(`reports.rated.${value}`) }))}
          onChange={setKind}
        />
      </div>
      <QueryState query={found} skeleton={<Skeleton rows={3} />}>
        {({ surveys, next_cursor }) =>
          surveys.length === 0 ? (
            <p className={styles.note}>{t('reports.noComments')}</p>
          ) : (
            <>
              <ul className={styles.comments}>
                {surveys.map(({ id, rating, comment, rated_at, ticket, client_name, staff_name }) => (
                  <li key={id} data-rating={rating}>
                    {rating === 'good' ? <ThumbsUp size={16} aria-hidden /> : <ThumbsDown size={16} aria-hidden />}
                    <div>
                      <p>
                        <span className={comment ? 'visually-hidden' : undefined}>
                          {t(rating === 'good' ? 'reports.good' : 'reports.bad')}
                        </span>{' '}
                        {comment && <q dir="auto">{comment}</q>}
                      </p>
                      <p className={styles.line}>
                        <bdi>{client_name}</bdi> ·{' '}
                        <Link
                          className="link"
                          to="/$view/$ticket"
                          params={{ view: 'all', ticket: ticket.ticket_number }}
                        >
                          {ticket.ticket_number}
                        </Link>
                        {staff_name && !isOwn && <> · {t('reports.answeredBy', { name: staff_name })}</>}
                      </p>
                    </div>
                    {rated_at && <time dateTime={rated_at}>{shortTime(instantOf(rated_at))}</time>}
                  </li>
                ))}
              </ul>
              {next_cursor && <p className={styles.note}>{t('reports.first50')}</p>}
            </>
          )
        }
      </QueryState>
    </section>
  )
}
