import { ChevronRight, Reply } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMe } from '../../app/me.ts'
import { useDraftedTickets } from '../../app/use-drafted-tickets.ts'
import { t } from '../../lib/strings.ts'
import { Badge } from '../../ui/badge.tsx'
import { Link } from '../navigation.ts'
import styles from './my-tickets.module.css'
import { RelativeTime } from './relative-time.tsx'
import { statusText, type Ticket, turnOf } from './ticket-status.ts'

interface TicketGroupProps {
  title: string
  tickets: Ticket[]
  /** What stands in place of the department. */
  opener?: ((ticket: Ticket) => ReactNode) | undefined
}

/** Tickets that wait for the same side. Renders nothing if there are none. */
export function TicketGroup({ title, tickets, opener }: TicketGroupProps) {
  const begun = useDraftedTickets(`client:${useMe().id}`)
  if (tickets.length === 0) return null
  return (
    <section className={styles.group} aria-label={title}>
      <h2>
        {title} <span className={styles.count}>{tickets.length}</span>
      </h2>
      <ul className="card">
        {tickets.map(ticket => (
          <li key={ticket.id}>
            <TicketRow ticket={ticket} isBegun={begun.has(ticket.id)} opener={opener?.(ticket)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function TicketRow({ ticket, isBegun, opener }: { ticket: Ticket; isBegun: boolean; opener?: ReactNode }) {
  const turn = turnOf(ticket.status)
  return (
    <Link to="/tickets/$number" params={{ number: ticket.ticket_number }} className={styles.row} data-turn={turn}>
      <span className={styles.what}>
        <bdi className={styles.subject}>{ticket.subject}</bdi>
        <span className={styles.sub}>
          <span className={styles.number}>{ticket.ticket_number}</span>
          {opener ?? <bdi className={styles.department}>{ticket.department_name}</bdi>}
          <LastTime ticket={ticket} />
        </span>
      </span>
      <span className={styles.state}>
        {isBegun && <Badge>{t('portal.draft')}</Badge>}
        {turn === 'yours' ? (
          <Badge tone="amber" icon={Reply}>
            {statusText(ticket.status)}
          </Badge>
        ) : (
          <span>{statusText(ticket.status)}</span>
        )}
        <ChevronRight size={16} aria-hidden className={styles.chevron} />
      </span>
    </Link>
  )
}

function LastTime({ ticket: { status, updated_at } }: { ticket: Ticket }) {
  const time = <RelativeTime at={updated_at} />
  if (status === 'Answered') return <span>{around('portal.answeredAt', time)}</span>
  if (status === 'Closed') return <span>{around('portal.closedAt', time)}</span>
  return time
}

/** Renders a message with a time element in place of its placeholder. */
function around(key: 'portal.answeredAt' | 'portal.closedAt', time: ReactNode) {
  const [before, after] = t(key, { when: '\n' }).split('\n')
  return (
    <>
      {before}
      {time}
      {after}
    </>
  )
}
