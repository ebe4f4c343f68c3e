import { Mail, MapPin, PanelRight, ShieldCheck, Split } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { can, useMe } from '../../app/me.ts'
import { nameOf } from '../../lib/person-name.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { Time } from '../../ui/time.tsx'
import { Link } from '../navigation.ts'
import type { ChosenMacro } from './chosen-macro.ts'
import styles from './details-pane.module.css'
import { Followers } from './followers.tsx'
import { LinkedTickets } from './linked-tickets.tsx'
import { Properties } from './properties.tsx'
import type { Detail } from './thread-types.ts'
import type { ThreadActions } from './use-thread-actions.ts'
import type { TicketChange } from './use-ticket-change.ts'

const DueTimes = lazyPart(async () => {
  const [{ DueTimes }] = await Promise.all([import('../due/due-times.tsx'), loadStrings('due')])
  return { default: DueTimes }
})

const CustomFields = lazyPart(async () => ({ default: (await import('./custom-fields.tsx')).CustomFields }))

const TicketArticles = lazyPart(async () => {
  const [{ TicketArticles }] = await Promise.all([import('./ticket-articles.tsx'), loadStrings('articles')])
  return { default: TicketArticles }
})

interface DetailsPaneProps {
  detail: Detail
  change(change: TicketChange): Promise<unknown>
  /** What is going to be changed with the reply. */
  macro: ChosenMacro | undefined
  actions: ThreadActions
  onHide(): void
  /** The side conversations. */
  side: ReactNode
}

/** The details of the ticket and its client, beside the thread. */
export function DetailsPane({ detail, change, macro, actions, onHide, side }: DetailsPaneProps) {
  const { watchers } = detail
  return (
    <>
      <div className={styles.head}>
        <h2>{t('thread.details')}</h2>
        <IconButton icon={PanelRight} label={t('thread.hideDetails')} shortcut="." onClick={onHide} />
      </div>
      <section className={styles.section} aria-label={t('thread.properties')}>
        <Properties detail={detail} change={change} macro={macro} />
      </section>
      <Suspense>
        <DueTimes ticket={detail.ticket.id} hasClocks={detail.ticket.sla !== null} className={styles.section} />
      </Suspense>
      <Suspense>
        <CustomFields detail={detail} change={change} macro={macro} className={styles.section} />
      </Suspense>
      <LinkedTickets detail={detail} actions={actions} />
      <Suspense>
        <TicketArticles ticketId={detail.ticket.id} />
      </Suspense>
      {side}
      <ClientCard detail={detail} />
      <OtherTickets detail={detail} />
      <MergedTickets detail={detail} actions={actions} />
      <Followers detail={detail} />
      {watchers.length > 0 && (
        <section className={styles.section}>
          <h3>{t('thread.watching')}</h3>
          <div className={styles.watchers}>
            {watchers.map(person => (
              <Avatar key={person.id} person={{ id: person.id, name: nameOf(person), kind: 'staff' }} size={22} alone />
            ))}
          </div>
        </section>
      )}
    </>
  )
}

function ClientCard({ detail }: { detail: Detail }) {
  const { client } = detail.ticket
  const mayView = can('clients.view')
  const { isAdmin } = useMe()
  const known = useApiQuery('/api/admin/clients/detail', { id: client.id }, { enabled: mayView, staleTime: 60_000 })
  const more = known.data?.client
  const name = nameOf(client)
  const place = more && [more.city, more.state].filter(Boolean).join(', ')
  return (
    <section className={styles.section}>
      <h3>{t('thread.clientHeading')}</h3>
      <div className={styles.person}>
        <Avatar person={{ id: client.id, name, kind: 'client' }} />
        <div className={styles.names}>
          {mayView ? (
            <Link to={`/clients/${client.id}`} className={styles.name}>
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <bdi className={styles.name}>{name}</bdi>
          )}
          {client.organisation && isAdmin ? (
            <Link
              to="/organisations/$id"
              params={{ id: String(client.organisation.id) }}
              className={`link ${styles.company}`}
            >
              <bdi>{client.organisation.name}</bdi>
            </Link>
          ) : (
            <bdi className={styles.company}>{client.organisation?.name ?? more?.company_name}</bdi>
          )}
        </div>
      </div>
      <p className={styles.fact}>
        <Mail size={14} aria-hidden />
        <span className={styles.cut}>{client.email}</span>
      </p>
      {more && (
        <p className={styles.fact}>
          <ShieldCheck size={14} aria-hidden />
          {t(verifiedKey(more.is_email_verified === 1, more.is_phone_verified === 1))}
        </p>
      )}
      {place && (
        <p className={styles.fact}>
          <MapPin size={14} aria-hidden />
          <bdi>{place}</bdi>
        </p>
      )}
      {accessText(detail) && <p className={styles.warning}>{accessText(detail)}</p>}
      {more?.is_active === 0 && <p className={styles.warning}>{t('thread.clientDeactivated')}</p>}
    </section>
  )
}

/** An account is in the hands of whoever has its password, and that may be somebody else than the owner of the address. */
function accessText({ client_access: access }: Detail): string | undefined {
  if (access.is_withheld) return t('thread.ticketWithheld')
  if (access.withheld_messages.length > 0) return t('thread.messagesWithheld')
  return access.is_email_proven ? undefined : t('thread.addressUnproven')
}

const mostOthers = 3

function OtherTickets({ detail }: { detail: Detail }) {
  const { ticket } = detail
  const asked = useApiQuery(
    '/api/admin/tickets/list',
    { client_id: ticket.client.id, limit: mostOthers + 1 },
    { staleTime: 60_000 }
  )
  const others = asked.data?.tickets.filter(({ id }) => id !== ticket.id).slice(0, mostOthers) ?? []
  if (others.length === 0) return null
  const total = asked.data!.total
  return (
    <section className={styles.section}>
      <h3>{t('thread.otherTickets')}</h3>
      <ul>
        {others.map(other => (
          <li key={other.id}>
            <Link to="/$view/$ticket" params={{ view: 'all', ticket: other.ticket_number }} className={styles.other}>
              <StatusIcon status={other.status} />
              <bdi className={styles.cut}>{other.subject}</bdi>
              <Time at={other.updated_at} style="relative" />
            </Link>
          </li>
        ))}
      </ul>
      {total > mostOthers + 1 && can('clients.view') && (
        <Link to={`/clients/${ticket.client.id}`} className={styles.all}>
          {t('thread.allTickets', { count: total })}
        </Link>
      )}
    </section>
  )
}

/** The tickets that were merged into this one. Each can be shown alone, and unmerged. */
function MergedTickets({ detail, actions }: { detail: Detail; actions: ThreadActions }) {
  const { merged_sources: sources } = detail
  if (sources.length === 0) return null
  return (
    <section className={styles.section}>
      <h3>{t('thread.mergedHere')}</h3>
      <ul>
        {sources.map(({ id, ticket_number, subject }) => (
          <li key={id} className={styles.merged}>
            <span className={styles.names}>
              <span className={styles.name}>{ticket_number}</span>
              <bdi className={styles.company}>{subject}</bdi>
            </span>
            {can('tickets.edit_status') && (
              <IconButton
                icon={Split}
                label={t('thread.takeApart', { number: ticket_number })}
                onClick={() => void actions.unmerge(id)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function verifiedKey(email: boolean, phone: boolean) {
  if (email && phone) return 'thread.bothVerified' as const
  if (email) return 'thread.emailVerified' as const
  return phone ? ('thread.phoneVerified' as const) : ('thread.noneVerified' as const)
}
