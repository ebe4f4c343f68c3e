import { useApiQuery } from '../../app/api-queries.ts'
import { QueryState } from '../../app/query-state.tsx'
import { t } from '../../lib/strings.ts'
import { numberText } from '../../lib/times.ts'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Link } from '../navigation.ts'
import styles from './counts.module.css'

/** The numbers of open tickets. Each number links to its tickets. */
export function CountsPage() {
  const counts = useApiQuery('/api/admin/tickets/counts', {})
  return (
    <Page title={t('admin.counts')} lede={t('admin.countsLede')}>
      <QueryState query={counts} skeleton={<Skeleton rows={5} />}>
        {({ open, unassigned, customer_reply, mine, waiting_on_customer, per_department }) => (
          <>
            <ul className={styles.cards}>
              <Card view="all" label={t('admin.openNow')} count={open} />
              <Card view="unassigned" label={t('admin.unassigned')} count={unassigned} />
              <Card view="replied" label={t('admin.customerReplied')} count={customer_reply} />
              <Card view="mine" label={t('admin.mine')} count={mine} />
              <Card view="waiting" label={t('admin.waitingOnCustomer')} count={waiting_on_customer} />
            </ul>
            <Backlog departments={per_department} />
          </>
        )}
      </QueryState>
    </Page>
  )
}

function Card({ view, label, count }: { view: string; label: string; count: number }) {
  return (
    <li>
      <Link to="/$view" params={{ view }} className={styles.card}>
        <span className={styles.label}>{label}</span>
        <span className={styles.number}>{numberText(count)}</span>
      </Link>
    </li>
  )
}

interface DepartmentCount {
  deptid: number
  name: string
  open: number
  unassigned: number
}

/** Bars for the backlog; the striped part is unassigned. The numbers are shown as well, so no information is in a bar alone. */
function Backlog({ departments }: { departments: DepartmentCount[] }) {
  const most = Math.max(1, ...departments.map(({ open }) => open))
  const share = (count: number) => `${(count / most) * 100}%`
  return (
    <section className={styles.backlog} aria-labelledby="backlog">
      <h2 id="backlog">{t('admin.backlog')}</h2>
      <svg className={styles.patterns} aria-hidden>
        <pattern id="stripes" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className={styles.stripe} width="2" height="4" />
        </pattern>
      </svg>
      <ul>
        {departments.map(({ deptid, name, open, unassigned }) => (
          <li key={deptid}>
            <Link to="/$view" params={{ view: `department-${deptid}` }}>
              <span className={styles.line}>
                <bdi>{name}</bdi>
                <span className={styles.unassigned}>{t('admin.unassignedCount', { count: unassigned })}</span>
                <b>{numberText(open)}</b>
              </span>
              <svg className={styles.bar} aria-hidden>
                <rect className={styles.taken} width={share(open - unassigned)} height="100%" />
                <rect fill="url(#stripes)" x={share(open - unassigned)} width={share(unassigned)} height="100%" />
              </svg>
            </Link>
          </li>
        ))}
      </ul>
      <p>{t('admin.stripedMeans')}</p>
    </section>
  )
}
