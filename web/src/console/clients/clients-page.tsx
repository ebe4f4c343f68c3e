import type { DataOf } from '@deskline/client'
import { Search, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { can, useMe } from '../../app/me.ts'
import { MorePages } from '../../app/more-pages.tsx'
import { QueryState } from '../../app/query-state.tsx'
import { useApiPages } from '../../app/use-api-pages.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { numberText } from '../../lib/times.ts'
import { useSearch } from '../../router/react.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page, PageTitle } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { Time } from '../../ui/time.tsx'
import { Link, useNavigate } from '../navigation.ts'
import { PeopleOrOrganisations } from '../organisations/people-or-organisations.tsx'
import { ClientFormDialog } from './client-form-dialog.tsx'
import styles from './clients.module.css'

type ListedClient = DataOf<'/api/admin/clients/list'>['clients'][number]

const pageSize = 50

/** The clients of this desk, searched by name, company, e-mail address or phone number. */
export function ClientsPage() {
  const { q = '' } = useSearch<{ q?: string }>()
  const navigate = useNavigate()
  const { isAdmin } = useMe()
  const [typed, setTyped] = useState(q)
  const [isAdding, setIsAdding] = useState(false)
  const search = useDebounced(typed.trim(), 200)
  const query = useApiPages('/api/admin/clients/list', { limit: pageSize, ...(search && { search }) })

  function type(text: string) {
    setTyped(text)
    void navigate({ to: '/clients', search: text.trim() ? { q: text.trim() } : {}, replace: true })
  }

  return (
    <Page title={t('clients.clients')} width="list">
      <div className={styles.page}>
        <div className={styles.top}>
          <PageTitle className={styles.title}>
            {t('clients.clients')}{' '}
            <span className="muted num">{query.data && numberText(query.data.pages[0]!.total)}</span>
          </PageTitle>
          {isAdmin && <PeopleOrOrganisations value="people" />}
          <div className={styles.searchBar}>
            <Search size={16} aria-hidden />
            <input
              type="search"
              aria-label={t('clients.searchLabel')}
              placeholder={t('clients.searchHint')}
              value={typed}
              maxLength={255}
              onChange={event => type(event.target.value)}
            />
          </div>
          {can('clients.create') && (
            <Button variant="primary" icon={UserPlus} onClick={() => setIsAdding(true)}>
              {t('clients.addClient')}
            </Button>
          )}
        </div>
        <QueryState query={query} skeleton={<Skeleton rows={12} />}>
          {({ pages }) => (
            <Clients clients={pages.flatMap(page => page.clients)} total={pages[0]!.total} isSearched={search !== ''} />
          )}
        </QueryState>
        <MorePages pages={query} label={t('clients.showMore')} />
        <ClientFormDialog open={isAdding} onClose={() => setIsAdding(false)} />
      </div>
    </Page>
  )
}

interface ClientsProps {
  clients: ListedClient[]
  total: number
  isSearched: boolean
}

function Clients({ clients, total, isSearched }: ClientsProps) {
  if (total === 0 && isSearched)
    return <StateMessage icon={Search} title={t('clients.noneFound')} text={t('clients.noneFoundText')} />
  if (total === 0) return <StateMessage icon={Users} title={t('clients.noneYet')} text={t('clients.noneYetText')} />
  return (
    <>
      <p className="visually-hidden" role="status">
        {t('clients.allShown', { count: total })}
      </p>
      <table className={styles.list}>
        <thead>
          <tr>
            <th scope="col">{t('clients.name')}</th>
            <th scope="col">{t('clients.company')}</th>
            <th scope="col">{t('clients.email')}</th>
            <th scope="col" className={styles.end}>
              {t('clients.since')}
            </th>
          </tr>
        </thead>
        <tbody>
          {clients.map(client => (
            <Row key={client.id} client={client} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function Row({ client }: { client: ListedClient }) {
  const name = nameOf(client)
  return (
    <tr className={client.is_active ? undefined : styles.faint}>
      <td>
        <span className={styles.who}>
          <Avatar person={{ id: client.id, name, kind: 'client' }} size={28} />
          <Link to="/clients/$id" params={{ id: String(client.id) }} className={styles.rowLink}>
            <bdi>{name}</bdi>
          </Link>
          {!client.is_active && <Badge>{t('clients.deactivated')}</Badge>}
        </span>
      </td>
      <td>
        <bdi>{client.company_name}</bdi>
      </td>
      <td>
        <span className={styles.who}>
          <bdi className={styles.email}>{client.email}</bdi>
          {!client.is_email_verified && <Badge>{t('clients.notVerified')}</Badge>}
        </span>
      </td>
      <td className={styles.end}>
        <Time at={client.created_at_iso} style="date" />
      </td>
    </tr>
  )
}
