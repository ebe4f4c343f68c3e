import type { DataOf } from '@deskline/client'
import { Inbox, Reply, StickyNote, User } from 'lucide-react'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { SearchSnippet } from '../../ui/search-snippet.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { Time } from '../../ui/time.tsx'
import { Link } from '../navigation.ts'
import styles from './search.module.css'

export type Hit = DataOf<'/api/admin/search'>['results'][number]

const kinds = {
  ticket: { icon: Inbox, label: 'clients.kindTicket' },
  message: { icon: Reply, label: 'clients.kindMessage' },
  note: { icon: StickyNote, label: 'clients.kindNote' },
  client: { icon: User, label: 'clients.kindClient' }
} as const

/** What was found in one ticket, or a client. */
export interface HitGroup {
  key: string
  hits: Hit[]
}

/** Everything that was found in a ticket stands where its best result is. */
export function groupsOf(hits: readonly Hit[]): HitGroup[] {
  const groups = Map.groupBy(hits, ({ kind, id, ticket }) => (ticket ? `ticket ${ticket.id}` : `${kind} ${id}`))
  return [...groups].map(([key, hits]) => ({ key, hits }))
}

/** A ticket and what was found in it, which opens beside the list; or a client, who has a page. */
export function SearchGroup({ hits, words, chosen }: { hits: Hit[]; words: string; chosen: string | undefined }) {
  const { ticket, client } = hits[0]!
  if (!ticket)
    return (
      <Link to="/clients/$id" params={{ id: String(client.id) }} className={styles.hit}>
        <span className={styles.first}>
          <bdi className={styles.subject}>{nameOf(client)}</bdi>
        </span>
        <Found hit={hits[0]!} />
      </Link>
    )
  const open = {
    to: '/search/$ticket',
    params: { ticket: ticket.ticket_number },
    search: { q: words },
    'aria-current': chosen === ticket.ticket_number ? ('true' as const) : undefined
  } as const
  const own = hits.find(({ kind }) => kind === 'ticket')
  const parts = hits.filter(hit => hit !== own)
  return (
    <>
      <Link {...open} className={styles.hit}>
        <span className={styles.first}>
          <StatusIcon status={ticket.status} />
          <bdi className={styles.subject}>{ticket.subject}</bdi>
          <span className={styles.number}>{ticket.ticket_number}</span>
        </span>
        {own && <Found hit={own} />}
      </Link>
      {parts.length > 0 && (
        <ul className={styles.within}>
          {parts.map(hit => (
            <li key={`${hit.kind} ${hit.id}`}>
              <Link {...open} className={styles.hit}>
                <Found hit={hit} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The words that were found, and where. */
function Found({ hit }: { hit: Hit }) {
  const { icon: Shown, label } = kinds[hit.kind]
  return (
    <>
      <span className={styles.snippet}>
        <SearchSnippet text={hit.snippet} />
      </span>
      <span className={hit.kind === 'note' ? `${styles.kind} ${styles.note}` : styles.kind}>
        <Shown size={12} aria-hidden />
        {t(label)}
        <bdi className={styles.who}>{hit.ticket ? nameOf(hit.client) : hit.client.email}</bdi>
        <Time at={hit.created_at_iso} style="relative" />
      </span>
    </>
  )
}
