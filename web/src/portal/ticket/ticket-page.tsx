import { Check, ChevronLeft, Printer, Reply } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { queryClient } from '../../app/api-client.ts'
import { queryKeyOf, useApiQuery } from '../../app/api-queries.ts'
import { useLiveEvents } from '../../app/event-stream.ts'
import { hasReason } from '../../app/failures.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { useMe } from '../../app/me.ts'
import { QueryState } from '../../app/query-state.tsx'
import { reloadQueries } from '../../app/reload-queries.ts'
import { t } from '../../lib/strings.ts'
import { useParams } from '../../router/react.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LinkButton } from '../link-button.tsx'
import { Link, useNavigate } from '../navigation.ts'
import { PortalPage } from '../portal-page.tsx'
import { StatePage } from '../state-page.tsx'
import { priorityText } from '../tickets/priorities.ts'
import { sentText } from '../tickets/sent-text.ts'
import { statusText } from '../tickets/ticket-status.ts'
import { AnswerForm } from './answer-form.tsx'
import { CloseTicket } from './close-ticket.tsx'
import { Conversation } from './conversation.tsx'
import styles from './thread.module.css'
import type { Thread } from './thread.ts'

const path = '/api/tickets/detail'

/** Loaded separately, because few tickets have followers. */
const TicketFollowers = lazyPart(async () => ({ default: (await import('./ticket-followers.tsx')).TicketFollowers }))

/** Loaded separately, because few customers see tickets of others. */
const FollowTicket = lazyPart(async () => ({ default: (await import('./follow-ticket.tsx')).FollowTicket }))

/** Loaded separately, because many desks have no custom fields. */
const TicketFields = lazyPart(async () => ({ default: (await import('./ticket-fields.tsx')).TicketFields }))

/** Loaded separately, because it is asked in closed tickets only. */
const RatingCard = lazyPart(async () => ({ default: (await import('./rating.tsx')).RatingCard }))

/** A ticket with its messages and the form for an answer. */
export function TicketPage() {
  const { number = '' } = useParams<{ number: string }>()
  const thread = useApiQuery(path, { id: number })
  if (hasReason(thread.error, 'ticket_not_found', 'invalid_fields')) return <NoSuchTicket />
  return (
    <QueryState query={thread} skeleton={<Loading />}>
      {thread => <Opened thread={thread} key={thread.ticket.id} asked={number} />}
    </QueryState>
  )
}

function Opened({ thread: { ticket, messages }, asked }: { thread: Thread; asked: string }) {
  const navigate = useNavigate()
  const { id, ticket_number: number, subject, status } = ticket
  const isClosed = status === 'Closed'
  // A merged ticket redirects to the ticket that it was merged into.
  useEffect(() => {
    if (asked !== number)
      void navigate({ to: '/tickets/$number', params: { number }, replace: true, state: history.state })
  }, [asked, number, navigate])

  function reload() {
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(path, { id: asked }) })
    void reloadQueries('/api/tickets/list')
  }
  useLiveEvents(event => {
    if ('ticket_id' in event && event.ticket_id === id) reload()
  })

  const answeredBy = messages.findLast(({ sender_type }) => sender_type !== 'customer')?.first_name
  return (
    <PortalPage
      title={t('portal-ticket.ticketOf', { number, subject })}
      heading={<bdi>{subject}</bdi>}
      width="slim"
      before={
        <Link to="/" className="back-link">
          <ChevronLeft size={16} aria-hidden />
          {t('portal.myTickets')}
        </Link>
      }
      below={
        <>
          <p className={styles.facts}>
            {status === 'Answered' ? (
              <Badge tone="amber" icon={Reply}>
                {t('portal-ticket.answeredYourTurn')}
              </Badge>
            ) : (
              <Badge {...(isClosed && { icon: Check })}>{statusText(status)}</Badge>
            )}
            <span className={styles.number}>{number}</span>
            <bdi>{ticket.department_name}</bdi>
            <span>{priorityText(ticket.priority)}</span>
          </p>
          <Suspense>{ticket.field_definitions && <TicketFields ticket={ticket} onChanged={reload} />}</Suspense>
        </>
      }
      actions={
        <span className={styles.actions}>
          <Button variant="quiet" icon={Printer} onClick={() => window.print()}>
            {t('portal-ticket.print')}
          </Button>
          {!isClosed && <CloseTicket id={id} onClosed={reload} />}
        </span>
      }
    >
      <SentJustNow number={number} />
      <Conversation messages={messages} />
      <Suspense>{isClosed && !ticket.client && <RatingCard id={id} />}</Suspense>
      <AnswerForm id={id} number={number} isClosed={isClosed} answeredBy={answeredBy} onSent={reload} />
      <Suspense>
        {ticket.client && ticket.is_following !== undefined && (
          <FollowTicket id={id} client={ticket.client} isFollowing={ticket.is_following === 1} />
        )}
        <TicketFollowers id={id} />
      </Suspense>
      {!isClosed && <p className={styles.foot}>{t('portal-ticket.isItSolved')}</p>}
    </PortalPage>
  )
}

/** Shown once after a ticket was sent: what happens next. */
function SentJustNow({ number }: { number: string }) {
  const { profile } = useMe()
  const [isNew] = useState(() => (history.state as { isNew?: boolean } | null)?.isNew === true)
  useEffect(() => {
    if (isNew) history.replaceState({ ...history.state, isNew: undefined }, '')
  }, [isNew])
  if (!isNew) return null
  return (
    <div className={styles.sent}>
      <Banner tone="good" icon={Check}>
        {sentText(profile, number)}
      </Banner>
    </div>
  )
}

function Loading() {
  return (
    <div className={styles.loading}>
      <Skeleton lines={2} />
      <Skeleton rows={3} />
    </div>
  )
}

function NoSuchTicket() {
  return (
    <StatePage
      kind="404"
      title={t('portal-ticket.noSuchTicket')}
      text={t('portal-ticket.noSuchTicketText')}
      action={<LinkButton to="/">{t('portal.toMyTickets')}</LinkButton>}
    />
  )
}
