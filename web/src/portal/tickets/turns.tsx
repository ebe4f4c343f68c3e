import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../lib/strings.ts'
import { StateMessage } from '../../ui/state-message.tsx'
import { LinkButton } from '../link-button.tsx'
import { Link } from '../navigation.ts'
import { TicketGroup } from './ticket-group.tsx'
import { type Ticket, turnOf } from './ticket-status.ts'

interface TurnsProps {
  tickets: Ticket[]
  showsAll: boolean
  /** Who opened a ticket, in a list of those of several people. */
  opener?: (ticket: Ticket) => ReactNode
}

/** Tickets by whose turn it is; closed ones only if they are asked for. */
export function Turns({ tickets, showsAll, opener }: TurnsProps) {
  const { yours = [], ours = [], none = [] } = Object.groupBy(tickets, ({ status }) => turnOf(status))
  return (
    <>
      {yours.length + ours.length === 0 && !showsAll && (
        <NoTickets title={t('portal.noOpenTickets')} text={t('portal.noOpenTicketsText')} />
      )}
      <TicketGroup title={t('portal.yourTurn')} tickets={yours} opener={opener} />
      <TicketGroup title={t('portal.ourTurn')} tickets={ours} opener={opener} />
      {showsAll && <TicketGroup title={t('portal.closed')} tickets={none} opener={opener} />}
      {!showsAll && none.length > 0 && (
        <Link to="/" search={former => ({ ...former, show: 'all' })} className="link">
          {t('portal.showClosed', { count: none.length })}
        </Link>
      )}
    </>
  )
}

/** Nothing to show, and the way to a new ticket. */
export function NoTickets({ title, text }: { title: string; text: string }) {
  return (
    <StateMessage
      kind="empty"
      title={title}
      text={text}
      action={
        <LinkButton to="/new" size="lg" icon={Plus}>
          {t('portal.newTicket')}
        </LinkButton>
      }
    />
  )
}
