import { Mail, Plus } from 'lucide-react'
import { Suspense, useEffect } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useLiveEvents } from '../../app/event-stream.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { useMe } from '../../app/me.ts'
import { QueryState } from '../../app/query-state.tsx'
import { reloadQueries } from '../../app/reload-queries.ts'
import { t } from '../../lib/strings.ts'
import { useSearch } from '../../router/react.tsx'
import { Banner } from '../../ui/banner.tsx'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LinkButton } from '../link-button.tsx'
import { useNavigate } from '../navigation.ts'
import { PortalPage } from '../portal-page.tsx'
import styles from './my-tickets.module.css'
import { SearchField } from './search-field.tsx'
import { NoTickets, Turns } from './turns.tsx'

/** The most tickets that the service returns at once. Older ones can be found by search. */
const most = 1000

/** Loaded with the first search. */
const SearchResults = lazyPart(async () => ({ default: (await import('./search-results.tsx')).SearchResults }))

/** Loaded separately, because few customers see tickets of others. */
const OrganisationSwitch = lazyPart(async () => ({
  default: (await import('./organisation-tickets.tsx')).OrganisationSwitch
}))
const OrganisationTickets = lazyPart(async () => ({
  default: (await import('./organisation-tickets.tsx')).OrganisationTickets
}))

/** The tickets of the customer, first those that wait for their answer; or the results of a search. */
export function MyTicketsPage() {
  const navigate = useNavigate()
  const { q = '', show, scope } = useSearch()
  const { profile } = useMe()
  const manages = 'manages' in profile ? profile.manages : undefined
  const words = String(q).trim()
  const showsAll = show === 'all'
  const isShared = manages !== undefined && scope === 'organisation'

  useLiveEvents(() => void reloadQueries('/api/tickets/list'))

  function change(name: 'q' | 'show' | 'scope', value: string) {
    void navigate({ to: '/', search: former => ({ ...former, [name]: value || undefined }), replace: true })
  }

  return (
    <PortalPage
      title={t('portal.myTickets')}
      actions={
        <LinkButton to="/new" variant="primary" size="lg" icon={Plus}>
          {t('portal.newTicket')}
        </LinkButton>
      }
    >
      <VerifyBanner />
      {manages && (
        <Suspense>
          <OrganisationSwitch name={manages.name} isShared={isShared} onChange={scope => change('scope', scope)} />
        </Suspense>
      )}
      <div className={styles.bar}>
        <SearchField value={words} onChange={value => change('q', value)} />
        {!words && (
          <SegmentedControl
            label={t('portal.whichTickets')}
            options={[
              { value: 'open', label: t('portal.notClosed') },
              { value: 'all', label: t('portal.all') }
            ]}
            value={showsAll ? 'all' : 'open'}
            onChange={value => change('show', value === 'all' ? 'all' : '')}
          />
        )}
      </div>
      {words ? (
        <Suspense fallback={<Skeleton rows={3} />}>
          <SearchResults words={words} />
        </Suspense>
      ) : isShared ? (
        <Suspense fallback={<Skeleton rows={5} />}>
          <OrganisationTickets showsAll={showsAll} />
        </Suspense>
      ) : (
        <Groups showsAll={showsAll} />
      )}
    </PortalPage>
  )
}

/** Answers are sent only to verified addresses. */
function VerifyBanner() {
  const { profile } = useMe()
  const navigate = useNavigate()
  if (profile.user_type !== 'client' || profile.is_email_verified === 1) return null
  return (
    <div className={styles.banner}>
      <Banner
        tone="info"
        icon={Mail}
        action={{ label: t('portal.verifyNow'), onClick: () => void navigate({ to: '/verify' }) }}
      >
        {t('portal.verifyBanner')}
      </Banner>
    </div>
  )
}

function Groups({ showsAll }: { showsAll: boolean }) {
  const list = useApiQuery('/api/tickets/list', { limit: most })
  const departments = useApiQuery('/api/departments', {})
  const navigate = useNavigate()

  const isFirstTicketWanted =
    list.data !== undefined &&
    departments.data?.count === 1 &&
    list.data.tickets.every(({ status }) => status === 'Closed')
  useEffect(() => {
    // Somebody who opens the portal without open tickets most likely wants to write one. Later visits of this page are on purpose.
    if (isFirstTicketWanted && isStart) void navigate({ to: '/new', replace: true })
    if (list.data) isStart = false
  }, [isFirstTicketWanted, list.data, navigate])

  return (
    <QueryState query={list} skeleton={<Skeleton rows={5} />}>
      {({ tickets, total }) =>
        total === 0 ? (
          <NoTickets title={t('portal.noTickets')} text={t('portal.noTicketsText')} />
        ) : (
          <>
            <Turns tickets={tickets} showsAll={showsAll} />
            {total > tickets.length && (
              <p className={styles.more}>{t('portal.manyTickets', { count: tickets.length })}</p>
            )}
          </>
        )
      }
    </QueryState>
  )
}

/** Whether the list has not been shown yet since the portal was opened. */
let isStart = true
