import type { BodyOf } from '@deskline/client'
import { useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { QueryState } from '../../app/query-state.tsx'
import { t } from '../../lib/strings.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Link } from '../navigation.ts'
import { filtersOf, spanOf } from './report-question.ts'
import type { ReportSearch } from './report-search.ts'
import styles from './reports.module.css'

/** Why the clients of these closings were not asked, the newest first. */
export function NotAsked({ count, search }: { count: number; search: ReportSearch }) {
  const [isOpen, setOpen] = useState(false)
  const body = { ...spanOf(search), ...filtersOf(search), state: 'voided', limit: 50 } as BodyOf<'/api/admin/csat/list'>
  const found = useApiQuery('/api/admin/csat/list', body, { enabled: isOpen })
  return (
    <details className={styles.notAsked} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t('reports.notAsked', { count })}</summary>
      {isOpen && (
        <QueryState query={found} skeleton={<Skeleton rows={3} />}>
          {({ surveys, next_cursor }) => (
            <>
              <ul>
                {surveys.map(({ id, ticket, voided_reason }) => (
                  <li key={id}>
                    <Link className="link" to="/$view/$ticket" params={{ view: 'all', ticket: ticket.ticket_number }}>
                      {ticket.ticket_number}
                    </Link>
                    : {voided_reason && t(`thread.notAsked.${voided_reason}`)}
                  </li>
                ))}
              </ul>
              {surveys.length === 0 && <p className={styles.note}>{t('reports.notAskedYet')}</p>}
              {next_cursor && <p className={styles.note}>{t('reports.first50')}</p>}
            </>
          )}
        </QueryState>
      )}
    </details>
  )
}
