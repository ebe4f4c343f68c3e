import type { DataOf } from '@deskline/client'
import { keepPreviousData } from '@tanstack/react-query'
import { useApiQuery } from '../../app/api-queries.ts'
import { QueryState } from '../../app/query-state.tsx'
import { t } from '../../lib/strings.ts'
import { SearchSnippet } from '../../ui/search-snippet.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { Link } from '../navigation.ts'
import styles from './my-tickets.module.css'
import { statusText } from './ticket-status.ts'

type Result = DataOf<'/api/tickets/search'>['results'][number]

/** The tickets that contain all of these words, each once, with its best snippet. */
export function TicketSearchResults({ words }: { words: string }) {
  const found = useApiQuery('/api/tickets/search', { query: words, limit: 100 }, { placeholderData: keepPreviousData })
  return (
    <QueryState query={found} skeleton={<Skeleton rows={3} />}>
      {({ results }) => {
        const tickets = bestOfEach(results)
        return (
          <>
            <div role="status">
              <h2 className={styles.found}>{t('portal.found', { count: tickets.length })}</h2>
            </div>
            {tickets.length === 0 ? (
              <StateMessage kind="empty" title={t('portal.nothingFound')} text={t('portal.nothingFoundText')} />
            ) : (
              <ul className="card">
                {tickets.map(result => (
                  <li key={result.ticket.id}>
                    <Found result={result} />
                  </li>
                ))}
              </ul>
            )}
          </>
        )
      }}
    </QueryState>
  )
}

function Found({ result: { ticket, snippet, kind } }: { result: Result }) {
  return (
    <Link to="/tickets/$number" params={{ number: ticket.ticket_number }} className={styles.row}>
      <span className={styles.what}>
        <bdi className={styles.subject}>{ticket.subject}</bdi>
        <span className={styles.sub}>
          <span className={styles.number}>{ticket.ticket_number}</span>
          {kind === 'message' && (
            <bdi className={styles.snippet}>
              <SearchSnippet text={snippet} />
            </bdi>
          )}
        </span>
      </span>
      <span className={styles.state}>{statusText(ticket.status)}</span>
    </Link>
  )
}

/** Results come best first; a ticket may be found by several of its messages. */
function bestOfEach(results: Result[]): Result[] {
  const seen = new Set<number>()
  return results.filter(({ ticket }) => !seen.has(ticket.id) && seen.add(ticket.id))
}
