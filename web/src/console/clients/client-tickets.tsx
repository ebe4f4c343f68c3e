import { Inbox } from 'lucide-react'
import { MorePages } from '../../app/more-pages.tsx'
import { QueryState } from '../../app/query-state.tsx'
import { useApiPages } from '../../app/use-api-pages.ts'
import { t } from '../../lib/strings.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { Time } from '../../ui/time.tsx'
import { Link } from '../navigation.ts'
import styles from './client.module.css'
import type { ClientDetail } from './client-detail.ts'

/** The visible tickets of a client, newest first. */
export function ClientTickets({ client }: { client: ClientDetail }) {
  const query = useApiPages('/api/admin/tickets/list', {
    client_id: client.id,
    sort: 'created',
    direction: 'desc',
    limit: 50
  })
  return (
    <section className={styles.card} aria-labelledby="tickets-of-client">
      <h2 id="tickets-of-client" className={styles.cardHead}>
        {t('clients.tickets')}
        <span className="muted">{query.data?.pages[0]?.total}</span>
      </h2>
      <QueryState query={query} skeleton={<Skeleton rows={6} />}>
        {({ pages }) => {
          const tickets = pages.flatMap(page => page.tickets)
          if (tickets.length === 0)
            return (
              <StateMessage
                icon={Inbox}
                title={t('clients.noTickets')}
                text={t('clients.noTicketsText', { name: client.first_name })}
              />
            )
          return (
            <table className={styles.tickets}>
              <thead className="visually-hidden">
                <tr>
                  <th scope="col">{t('clients.status')}</th>
                  <th scope="col">{t('clients.number')}</th>
                  <th scope="col">{t('clients.subject')}</th>
                  <th scope="col">{t('clients.department')}</th>
                  <th scope="col">{t('clients.opened')}</th>
                </tr>
              </thead>
              <tbody>
                {tickets.map(ticket => (
                  <tr key={ticket.id}>
                    <td>
                      <StatusIcon status={ticket.status} />
                    </td>
                    <td className={styles.number}>{ticket.ticket_number}</td>
                    <td className={styles.subject}>
                      <Link to="/$view/$ticket" params={{ view: 'all', ticket: ticket.ticket_number }}>
                        <bdi>{ticket.subject}</bdi>
                      </Link>
                    </td>
                    <td className={styles.department}>{ticket.department.name}</td>
                    <td className={styles.end}>
                      <Time at={ticket.created_at_iso} style="relative" />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }}
      </QueryState>
      <MorePages pages={query} label={t('clients.showMore')} />
    </section>
  )
}
