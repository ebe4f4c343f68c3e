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

/** One result. A ticket opens beside the list, a client on their own page. */
export function SearchHit({ hit, words, isChosen }: { hit: Hit; words: string; isChosen: boolean }) {
  const { icon: Shown, label } = kinds[hit.kind]
  const content = (
    <>
      <span className={styles.first}>
        {hit.ticket && <StatusIcon status={hit.ticket.status} />}
        <bdi className={styles.subject}>{hit.ticket ? hit.ticket.subject : nameOf(hit.client)}</bdi>
        {hit.ticket && <span className={styles.number}>{hit.ticket.ticket_number}</span>}
      </span>
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
  if (!hit.ticket)
    return (
      <Link to="/clients/$id" params={{ id: String(hit.client.id) }} className={styles.hit}>
        {content}
      </Link>
    )
  return (
    <Link
      to="/search/$ticket"
      params={{ ticket: hit.ticket.ticket_number }}
      search={{ q: words }}
      className={styles.hit}
      aria-current={isChosen ? 'true' : undefined}
    >
      {content}
    </Link>
  )
}
