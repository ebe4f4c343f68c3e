import type { DataOf } from '@deskline/client'
import { ArrowLeft, Building2, Inbox, Pencil } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { QueryState } from '../../app/query-state.tsx'
import { reloadQueries } from '../../app/reload-queries.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { useParams } from '../../router/react.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { Page, PageTitle } from '../../ui/page.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { RowMenu } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { AsyncConfirmDialog } from '../async-confirm-dialog.tsx'
import client from '../clients/client.module.css'
import { Link, useNavigate } from '../navigation.ts'
import { MembershipDialog } from './membership-dialog.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import styles from './organisation.module.css'
import { OrganisationFormDialog } from './organisation-form-dialog.tsx'

type Detail = DataOf<'/api/admin/organisations/detail'>
type Person = Detail['people'][number]

const most = 100

/** An organisation: its tickets and people, and what is known of it. */
export function OrganisationPage() {
  const { id } = useParams()
  const [tickets, setTickets] = useState<'open' | 'all'>('open')
  const query = useApiQuery('/api/admin/organisations/detail', { id: Number(id), tickets, limit: most })
  return (
    <QueryState query={query} heading="h1">
      {detail => <Shown detail={detail} tickets={tickets} setTickets={setTickets} />}
    </QueryState>
  )
}

interface ShownProps {
  detail: Detail
  tickets: 'open' | 'all'
  setTickets: (tickets: 'open' | 'all') => void
}

function Shown({ detail, tickets, setTickets }: ShownProps) {
  const { organisation } = detail
  const { id, name, version } = organisation
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'edit' | 'merge' | 'archive' | 'delete'>()
  const [member, setMember] = useState<Person>()
  const close = () => setAsked(undefined)
  const toList = () => void navigate({ to: '/organisations' })

  async function change(verb: 'archive' | 'unarchive' | 'delete') {
    await post(`/api/admin/organisations/${verb}`, { id, expected_version: version })
    void reloadQueries('/api/admin/organisations/list', '/api/admin/organisations/detail')
  }

  const more: MenuItem[] = organisation.merging
    ? []
    : [
        { label: t('organisations.mergeInto'), onSelect: () => setAsked('merge') },
        organisation.is_archived
          ? { label: t('organisations.unarchive'), onSelect: () => void change('unarchive') }
          : { label: t('organisations.archive'), onSelect: () => setAsked('archive') },
        { label: t('organisations.delete'), onSelect: () => setAsked('delete'), danger: true }
      ]
  return (
    <Page title={name} width="list">
      <div className={client.page}>
        <Link to="/organisations" aria-current={false} className="back-link">
          <ArrowLeft size={16} aria-hidden />
          {t('organisations.organisations')}
        </Link>
        <div className="head-row">
          <span className={styles.sign}>
            <Building2 size={20} aria-hidden />
          </span>
          <div className="grow">
            <PageTitle className="big">
              <bdi>{name}</bdi>
            </PageTitle>
            <p className={client.company}>
              {t('organisations.counts', {
                people: organisation.people_count,
                tickets: organisation.open_ticket_count
              })}
            </p>
          </div>
          <div className="actions">
            <Button icon={Pencil} onClick={() => setAsked('edit')} disabled={organisation.merging !== null}>
              {t('clients.edit')}
            </Button>
            <RowMenu items={more} label={t('clients.more')} />
          </div>
        </div>
        {organisation.is_archived === 1 && <Banner tone="warn">{t('organisations.archivedBanner')}</Banner>}
        {organisation.merging && (
          <Banner tone="info">{t('organisations.mergingBanner', { name: organisation.merging.into_name })}</Banner>
        )}
        <div className={client.columns}>
          <Tickets detail={detail} tickets={tickets} setTickets={setTickets} />
          <aside className={client.facts}>
            <People detail={detail} onChoose={setMember} />
            <About detail={detail} />
          </aside>
        </div>
      </div>
      {asked === 'edit' && <OrganisationFormDialog organisation={organisation} onClose={close} />}
      {asked === 'merge' && (
        <MergeDialog
          organisation={organisation}
          onMerged={into => void navigate({ to: '/organisations/$id', params: { id: String(into.id) } })}
          onClose={close}
        />
      )}
      {asked === 'archive' && (
        <AsyncConfirmDialog
          title={t('organisations.archiveTitle', { name })}
          text={t('organisations.archiveText')}
          confirmLabel={t('organisations.archive')}
          keepLabel={t('organisations.keep')}
          isHarmless
          onConfirm={() => change('archive').then(close)}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <AsyncConfirmDialog
          title={t('organisations.deleteTitle', { name })}
          text={t('organisations.deleteText')}
          confirmLabel={t('organisations.delete')}
          keepLabel={t('organisations.keep')}
          onConfirm={() => change('delete').then(toList)}
          onClose={close}
        />
      )}
      {member && (
        <MembershipDialog
          client={{ ...member, name: nameOf(member), organisation: { id, name } }}
          onClose={() => setMember(undefined)}
        />
      )}
    </Page>
  )
}

function Tickets({ detail, tickets, setTickets }: ShownProps) {
  return (
    <section className={client.card} aria-labelledby="tickets-of-organisation">
      <div className={`${client.cardHead} ${styles.head}`}>
        <h2 id="tickets-of-organisation">{t('clients.tickets')}</h2>
        <SegmentedControl
          label={t('organisations.whichTickets')}
          options={[
            { value: 'open', label: t('organisations.open') },
            { value: 'all', label: t('organisations.all') }
          ]}
          value={tickets}
          onChange={setTickets}
        />
      </div>
      {detail.tickets.length === 0 ? (
        <StateMessage icon={Inbox} title={t('organisations.noTickets')} text={t('organisations.noTicketsText')} />
      ) : (
        <table className={client.tickets}>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">{t('clients.status')}</th>
              <th scope="col">{t('clients.number')}</th>
              <th scope="col">{t('clients.subject')}</th>
              <th scope="col">{t('organisations.opener')}</th>
              <th scope="col">{t('organisations.changed')}</th>
            </tr>
          </thead>
          <tbody>
            {detail.tickets.map(ticket => (
              <tr key={ticket.id}>
                <td>
                  <StatusIcon status={ticket.status as Parameters<typeof StatusIcon>[0]['status']} />
                </td>
                <td className={client.number}>{ticket.ticket_number}</td>
                <td className={client.subject}>
                  <Link to="/$view/$ticket" params={{ view: 'all', ticket: ticket.ticket_number }}>
                    <bdi>{ticket.subject}</bdi>
                  </Link>
                </td>
                <td className={client.department}>
                  <bdi>{nameOf(ticket.client)}</bdi>
                </td>
                <td className={client.end}>
                  <Time at={ticket.updated_at_iso} style="relative" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {detail.tickets_total > detail.tickets.length && (
        <p className={styles.rest}>{t('organisations.newest', { count: detail.tickets.length })}</p>
      )}
    </section>
  )
}

function People({ detail, onChoose }: { detail: Detail; onChoose: (person: Person) => void }) {
  return (
    <section className={client.card} aria-labelledby="people-of-organisation">
      <h2 id="people-of-organisation" className={client.cardHead}>
        {t('organisations.people')} <span className="muted">{detail.people_total}</span>
      </h2>
      {detail.people.length === 0 && <p className={styles.rest}>{t('organisations.nobody')}</p>}
      <ul>
        {detail.people.map(person => (
          <li key={person.id} className={styles.person}>
            <Avatar person={{ id: person.id, name: nameOf(person), kind: 'client' }} size={22} />
            <span className={styles.names}>
              <Link to="/clients/$id" params={{ id: String(person.id) }} className={styles.name}>
                <bdi>{nameOf(person)}</bdi>
              </Link>
              <bdi className="muted">{person.email}</bdi>
              {person.organisation_role === 'manager' && (
                <span>
                  <Badge tone={person.is_email_verified ? 'green' : 'amber'}>
                    {t(person.is_email_verified ? 'organisations.seesAll' : 'organisations.seesAllLater')}
                  </Badge>
                </span>
              )}
            </span>
            <RowMenu
              items={[{ label: t('organisations.changeMembership'), onSelect: () => onChoose(person) }]}
              label={t('organisations.actionsFor', { name: nameOf(person) })}
            />
          </li>
        ))}
      </ul>
      {detail.people_total > detail.people.length && (
        <p className={styles.rest}>{t('organisations.firstPeople', { count: detail.people.length })}</p>
      )}
    </section>
  )
}

function About({ detail: { organisation } }: { detail: Detail }) {
  return (
    <section className={client.factCard}>
      <h2>{t('organisations.about')}</h2>
      <dl className={styles.about}>
        <dt>{t('organisations.domains')}</dt>
        <dd>
          <bdi>{organisation.domains.join(', ') || t('organisations.noDomains')}</bdi>
          {organisation.domains.length > 0 && <p className="muted">{t('organisations.domainsAbout')}</p>}
        </dd>
        <dt>{t('organisations.seenBy')}</dt>
        <dd>{t('organisations.seenByManagers')}</dd>
        <dt>{t('organisations.emails')}</dt>
        <dd>{t(organisation.managers_follow ? 'organisations.emailsAll' : 'organisations.emailsFollowed')}</dd>
        {organisation.note && (
          <>
            <dt>{t('organisations.note')}</dt>
            <dd className={styles.note}>
              <bdi>{organisation.note}</bdi>
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}
