import type { DataOf } from '@deskline/client'
import { Building2, Plus, Search } from 'lucide-react'
import { useState } from 'react'
import { MorePages } from '../../app/more-pages.tsx'
import { QueryState } from '../../app/query-state.tsx'
import { useApiPages } from '../../app/use-api-pages.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { t } from '../../lib/strings.ts'
import { numberText } from '../../lib/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page, PageTitle } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import styles from '../clients/clients.module.css'
import { Link, useNavigate } from '../navigation.ts'
import own from './organisation.module.css'
import { OrganisationFormDialog } from './organisation-form-dialog.tsx'
import { PeopleOrOrganisations } from './people-or-organisations.tsx'

type Organisation = DataOf<'/api/admin/organisations/list'>['organisations'][number]

const pageSize = 50

/** The organisations of this desk, searched by name or domain. */
export function OrganisationsPage() {
  const [typed, setTyped] = useState('')
  const [isAdding, setIsAdding] = useState(false)
  const [archived, setArchived] = useState<0 | 1>(0)
  const navigate = useNavigate()
  const search = useDebounced(typed.trim(), 200)
  const query = useApiPages('/api/admin/organisations/list', { limit: pageSize, archived, ...(search && { search }) })
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setIsAdding(true)}>
      {t('organisations.add')}
    </Button>
  )
  return (
    <Page title={t('organisations.organisations')} width="list">
      <div className={styles.page}>
        <div className={styles.top}>
          <PageTitle className={styles.title}>{t('clients.clients')}</PageTitle>
          <PeopleOrOrganisations value="organisations" />
          <div className={styles.searchBar}>
            <Search size={16} aria-hidden />
            <input
              type="search"
              aria-label={t('organisations.searchLabel')}
              placeholder={t('organisations.searchHint')}
              value={typed}
              maxLength={255}
              onChange={event => setTyped(event.target.value)}
            />
          </div>
          {add}
        </div>
        <QueryState query={query} skeleton={<Skeleton rows={8} />}>
          {({ pages }) => {
            const rows = pages.flatMap(page => page.organisations)
            if (rows.length === 0 && search)
              return (
                <StateMessage
                  icon={Search}
                  title={t('organisations.noneFound')}
                  text={t('organisations.noneFoundText')}
                />
              )
            if (rows.length === 0 && !archived)
              return (
                <StateMessage
                  icon={Building2}
                  title={t('organisations.noneYet')}
                  text={t('organisations.noneYetText')}
                  action={add}
                />
              )
            return (
              <div className={own.list}>
                <Table
                  label={t('organisations.organisations')}
                  columns={columnsOf()}
                  rows={rows}
                  rowKey={({ id }) => id}
                />
              </div>
            )
          }}
        </QueryState>
        <MorePages pages={query} label={t('clients.showMore')} />
        <p>
          <Button variant="quiet" onClick={() => setArchived(archived ? 0 : 1)}>
            {t(archived ? 'organisations.showOpen' : 'organisations.showArchived')}
          </Button>
        </p>
        {isAdding && (
          <OrganisationFormDialog
            onSaved={({ id }) => void navigate({ to: '/organisations/$id', params: { id: String(id) } })}
            onClose={() => setIsAdding(false)}
          />
        )}
      </div>
    </Page>
  )
}

const columnsOf = (): Column<Organisation>[] => [
  {
    key: 'name',
    label: t('organisations.organisation'),
    cell: ({ id, name, is_archived }) => (
      <>
        <Link to="/organisations/$id" params={{ id: String(id) }} className="link">
          <bdi>{name}</bdi>
        </Link>{' '}
        {is_archived === 1 && <Badge>{t('organisations.archived')}</Badge>}
      </>
    )
  },
  {
    key: 'domains',
    label: t('organisations.domains'),
    cell: ({ domains }) =>
      domains.length > 0 ? (
        <bdi>{domains.join(', ')}</bdi>
      ) : (
        <span className="muted">{t('organisations.noDomains')}</span>
      )
  },
  {
    key: 'people',
    label: t('organisations.people'),
    number: true,
    cell: ({ people_count }) => numberText(people_count)
  },
  {
    key: 'tickets',
    label: t('organisations.openTickets'),
    number: true,
    cell: ({ open_ticket_count }) => numberText(open_ticket_count)
  }
]
