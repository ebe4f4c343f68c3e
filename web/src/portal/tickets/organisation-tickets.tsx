import { useApiQuery } from '../../app/api-queries.ts'
import { useMe } from '../../app/me.ts'
import { QueryState } from '../../app/query-state.tsx'
import { nameOf } from '../../lib/person-name.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import styles from './organisation-tickets.module.css'
import type { Ticket } from './ticket-status.ts'
import { Turns } from './turns.tsx'

await loadStrings('portal-organisation')

/** The most tickets that the service returns at once. */
const most = 1000

interface SwitchProps {
  name: string
  isShared: boolean
  onChange: (scope: '' | 'organisation') => void
}

/** Whether a manager sees the own tickets, or those of the organisation. */
export function OrganisationSwitch({ name, isShared, onChange }: SwitchProps) {
  return (
    <div className={styles.switch}>
      <SegmentedControl
        label={t('portal-organisation.whose')}
        options={[
          { value: '', label: t('portal-organisation.mine') },
          { value: 'organisation', label: t('portal-organisation.all', { name }) }
        ]}
        value={isShared ? 'organisation' : ''}
        onChange={onChange}
      />
      {isShared && <p className={styles.lede}>{t('portal-organisation.lede')}</p>}
    </div>
  )
}

/** The tickets of all people of the organisation, each with who opened it. */
export function OrganisationTickets({ showsAll }: { showsAll: boolean }) {
  const list = useApiQuery('/api/tickets/list', { scope: 'organisation', limit: most })
  const { id } = useMe()
  const opener = ({ client }: Ticket) =>
    client && <bdi>{client.id === id ? t('portal-organisation.you') : nameOf(client)}</bdi>
  return (
    <QueryState query={list} skeleton={<Skeleton rows={5} />}>
      {({ tickets, total }) =>
        total === 0 ? (
          <StateMessage kind="empty" title={t('portal-organisation.none')} text={t('portal-organisation.noneText')} />
        ) : (
          <>
            <Turns tickets={tickets} showsAll={showsAll} opener={opener} />
            {total > tickets.length && (
              <p className={styles.more}>{t('portal-organisation.newest', { count: tickets.length })}</p>
            )}
          </>
        )
      }
    </QueryState>
  )
}
