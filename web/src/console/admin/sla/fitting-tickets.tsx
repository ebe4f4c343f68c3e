import type { BodyOf } from '@deskline/client'
import { useId } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useDebounced } from '../../../app/use-debounced.ts'
import { t } from '../../../lib/strings.ts'
import { numberText } from '../../../lib/times.ts'
import { Link } from '../../navigation.ts'
import { type Conditions, isUnfinished } from '../sentence/condition-fields.ts'
import styles from './sla.module.css'

type Body = BodyOf<'/api/admin/tickets/list'>

/** How many open tickets the conditions fit as they are edited, and three of them. */
export function FittingTickets({ conditions }: { conditions: Conditions }) {
  const id = useId()
  const settled = JSON.parse(useDebounced(JSON.stringify(conditions), 300)) as Conditions
  const isWhole = !settled.all.some(({ any }) => any.some(isUnfinished))
  const body: Body = {
    conditions: settled as NonNullable<Body['conditions']>,
    status: ['Open', 'In Progress', 'Customer-Reply', 'Answered'],
    limit: 3
  }
  const found = useApiQuery('/api/admin/tickets/list', body, { enabled: isWhole, placeholderData: former => former })
  if (!found.data) return null
  const { total, tickets } = found.data
  return (
    <section
      className={`card ${styles.side}`}
      aria-labelledby={id}
      data-old={!isWhole || found.isFetching || undefined}
    >
      <div className="hd">
        <h2 id={id}>{t('sla.today')}</h2>
      </div>
      <p className={styles.figure} data-old={!isWhole || found.isFetching || undefined}>
        <span className={styles.count}>{numberText(total)}</span> {t('sla.fitNow', { count: total })}
        <span className={styles.countHint}>{t('sla.fitHint')}</span>
      </p>
      <ul>
        {tickets.map(({ id, ticket_number, subject }) => (
          <li key={id}>
            <Link to="/$view/$ticket" params={{ view: 'all', ticket: ticket_number }} className={styles.sideTicket}>
              <bdi className="cut">{subject}</bdi>
              <span className={styles.sideNumber}>{ticket_number}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
