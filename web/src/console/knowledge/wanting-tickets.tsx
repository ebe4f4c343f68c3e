import { PenLine } from 'lucide-react'
import { MorePages } from '../../app/more-pages.tsx'
import { QueryState } from '../../app/query-state.tsx'
import { useApiPages } from '../../app/use-api-pages.ts'
import { t } from '../../lib/strings.ts'
import { IconButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { Time } from '../../ui/time.tsx'
import { Link, useNavigate } from '../navigation.ts'
import styles from './knowledge.module.css'

/** The tickets that need an article: what to write next. */
export function WantingTickets({ mayWrite }: { mayWrite: boolean }) {
  const navigate = useNavigate()
  const found = useApiPages('/api/admin/kb/tickets/list', { limit: 50 })
  return (
    <>
      <QueryState query={found} skeleton={<Skeleton rows={6} />}>
        {({ pages }) => {
          const tickets = pages.flatMap(({ tickets }) => tickets)
          return tickets.length === 0 ? (
            <p className={`muted ${styles.none}`}>{t('knowledge.noneWanted')}</p>
          ) : (
            <ul className={styles.wanting}>
              {tickets.map(({ id, subject, ticket_number, status, created_at }) => (
                <li key={id}>
                  <StatusIcon status={status} />
                  <Link to="/$view/$ticket" params={{ view: 'all', ticket: ticket_number }}>
                    <bdi>{subject}</bdi>
                    <small className="muted">
                      {ticket_number} · <Time at={created_at} style="relative" />
                    </small>
                  </Link>
                  {mayWrite && (
                    <IconButton
                      icon={PenLine}
                      label={t('knowledge.writeFrom', { number: ticket_number })}
                      onClick={() =>
                        void navigate({
                          to: '/knowledge/$articleId',
                          params: { articleId: 'new' },
                          search: { ticket: id }
                        })
                      }
                    />
                  )}
                </li>
              ))}
            </ul>
          )
        }}
      </QueryState>
      <MorePages pages={found} label={t('knowledge.showMore')} />
    </>
  )
}
