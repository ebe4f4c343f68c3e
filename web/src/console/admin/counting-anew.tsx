import { useApiQuery } from '../../app/api-queries.ts'
import { t } from '../../lib/strings.ts'
import { numberText } from '../../lib/times.ts'
import { Banner } from '../../ui/banner.tsx'
import { Link } from '../navigation.ts'

const askedEachMilliseconds = 3_000

/** While due times are counted anew after a change of policies or business hours: of how many tickets, and how many are done. */
export function CountingAnew() {
  const { data } = useApiQuery('/api/admin/sla-policies/recomputation', {}, { refetchInterval: askedEachMilliseconds })
  if (!data?.recomputation) return null
  const { done, total } = data.recomputation
  const text = t('definition.countingAnew', { done: numberText(done), total: numberText(total) })
  // What changes all the time is not read out each time.
  return (
    <Banner>
      <span aria-live="off">
        {text} <progress value={done} max={total} aria-label={text} />
      </span>{' '}
      <Link to="/$view" params={{ view: 'all' }} search={{ sort: 'sla_due' }} className="link">
        {t('definition.dueFirst')}
      </Link>
    </Banner>
  )
}
