import { Plus, Timer, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { Link, useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { CountingAnew } from '../counting-anew.tsx'
import { OrderedRows } from '../ordered-rows.tsx'
import type { Conditions } from '../sentence/condition-fields.ts'
import { ConditionsText } from '../sentence/conditions-text.tsx'
import { useConditionValues } from '../sentence/use-condition-values.ts'
import { ShowArchived } from '../show-archived.tsx'
import { exampleText, type Policy } from './policy.ts'
import styles from './sla.module.css'
import { useCalendarNames } from './use-calendars.ts'

const path = '/api/admin/sla-policies/list'

/** The policies in the order in which they are tried, each as a sentence. */
export function PoliciesPage() {
  const policies = useApiQuery(path, { open_tickets: 1 })
  const isEmpty = policies.data?.policies.length === 0
  const add = (
    <Link to="/sla/$policyId" params={{ policyId: 'new' }} className={buttonClass('primary')}>
      <Plus size={16} aria-hidden /> {t('sla.add')}
    </Link>
  )
  return (
    <AdminPage title={t('sla.title')} lede={t('sla.lede')} actions={policies.data && !isEmpty && add}>
      <CountingAnew />
      <QueryState query={policies}>
        {({ policies, warnings, open_tickets }) =>
          policies.length === 0 ? (
            <StateMessage icon={Timer} title={t('sla.none')} text={t('sla.noneText')} action={add} />
          ) : (
            <Policies policies={policies} warnings={warnings} openTickets={open_tickets ?? []} />
          )
        }
      </QueryState>
    </AdminPage>
  )
}

interface PoliciesProps {
  policies: Policy[]
  warnings: { policy_id: number; by: { name: string } }[]
  /** How many open tickets follow a policy; those without any are missing. */
  openTickets: { policy_id: number; count: number }[]
}

function Policies({ policies, warnings, openTickets }: PoliciesProps) {
  const navigate = useNavigate()
  const [areArchivedShown, setArchivedShown] = useState(false)
  const [archiving, setArchiving] = useState<Policy>()
  const values = useConditionValues(
    policies.flatMap(({ conditions }) => (conditions as Conditions).all.flatMap(({ any }) => any))
  )
  const calendar = useCalendarNames()
  const inUse = policies.filter(({ is_archived }) => !is_archived)
  const archived = policies.filter(({ is_archived }) => is_archived)

  async function reorder(ids: number[]) {
    await post('/api/admin/sla-policies/reorder', { ids })
    await reloadQueries(path)
  }

  async function turn({ id, is_active, version }: Policy) {
    try {
      await post('/api/admin/sla-policies/update', { id, is_active: is_active ? 0 : 1, expected_version: version })
      announce(t(is_active ? 'sla.isOffNow' : 'sla.isOnNow'))
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    }
    await reloadQueries(path)
  }

  async function unarchive({ id, version }: Policy) {
    try {
      await post('/api/admin/sla-policies/unarchive', { id, expected_version: version })
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    }
    await reloadQueries(path)
  }

  const menu = (policy: Policy): MenuItem[] => [
    {
      label: t('admin.edit'),
      onSelect: () => void navigate({ to: '/sla/$policyId', params: { policyId: String(policy.id) } })
    },
    { label: t(policy.is_active ? 'admin.turnOffNow' : 'admin.turnOnNow'), onSelect: () => void turn(policy) },
    { label: t('definition.archiveMore'), danger: true, onSelect: () => setArchiving(policy) }
  ]

  return (
    <>
      <OrderedRows
        label={t('sla.title')}
        rows={inUse}
        isOff={({ is_active }) => !is_active}
        aside={({ id }) => {
          const count = openTickets.find(({ policy_id }) => policy_id === id)?.count ?? 0
          return <span className={styles.open}>{t('sla.openTickets', { count })}</span>
        }}
        menu={menu}
        onReorder={reorder}
      >
        {policy => {
          const warning = warnings.find(({ policy_id }) => policy_id === policy.id)
          return (
            <>
              <span className="row-x wrap">
                <Link
                  to="/sla/$policyId"
                  params={{ policyId: String(policy.id) }}
                  className={`row-link ${styles.name}`}
                >
                  {policy.name}
                </Link>
                {!policy.is_active && <Badge>{t('admin.isOff')}</Badge>}
              </span>
              <p className={styles.sentence}>
                {policy.conditions.all.length === 0 ? (
                  t('sla.everyOther')
                ) : (
                  <ConditionsText conditions={policy.conditions as Conditions} values={values} />
                )}
              </p>
              <p className={styles.example}>{exampleText(policy, calendar)}</p>
              {warning && (
                <p className={styles.warning}>
                  <TriangleAlert size={14} aria-hidden /> {t('sla.neverReached', { name: warning.by.name })}
                </p>
              )}
            </>
          )
        }}
      </OrderedRows>
      <p className={styles.orderHint}>{t('sla.orderMeans')}</p>
      {archived.length > 0 && (
        <p className={styles.orderHint}>
          <ShowArchived count={archived.length} areShown={areArchivedShown} onChange={setArchivedShown} />
        </p>
      )}
      {areArchivedShown && (
        <ul className={`card ${styles.archived}`} aria-label={t('definition.archived')}>
          {archived.map(policy => (
            <li key={policy.id}>
              <span className="grow">{policy.name}</span>
              <Button size="sm" onClick={() => void unarchive(policy)}>
                {t('definition.unarchive')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {archiving && (
        <AsyncConfirmDialog
          title={t('definition.archiveNamed', { name: archiving.name })}
          text={t('sla.archiveMeans')}
          confirmLabel={t('definition.archive')}
          keepLabel={t('definition.keep')}
          onConfirm={async () => {
            await post('/api/admin/sla-policies/archive', { id: archiving.id, expected_version: archiving.version })
            setArchiving(undefined)
            await reloadQueries(path)
          }}
          onClose={() => setArchiving(undefined)}
        />
      )}
    </>
  )
}
