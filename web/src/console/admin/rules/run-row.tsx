import { Ban, Check, ChevronDown, ChevronUp, CircleAlert, Eye, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { t } from '../../../lib/strings.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Time } from '../../../ui/time.tsx'
import { Link } from '../../navigation.ts'
import { type ListedRun, type Reading, type Run, runText, skippedOf } from './run.ts'
import { RunDetail } from './run-detail.tsx'
import styles from './runs.module.css'

interface RunRowProps extends Reading {
  run: ListedRun
  others: readonly { id: number; name: string }[]
}

/** One run in a line, which opens what was judged and done. */
export function RunRow({ run, others, ...reading }: RunRowProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const label = t(isOpen ? 'rules.hideRun' : 'rules.showRun', { ticket: run.ticket_number ?? t('rules.anEmail') })
  return (
    <li>
      <div className={styles.row} data-open={isOpen || undefined}>
        <span className={styles.when}>
          <Time at={run.at} style="short" />
        </span>
        {run.ticket_number === null ? (
          <span className={`cut ${styles.ticket}`}>
            {t('rules.anEmail')} <bdi>{run.subject}</bdi>
          </span>
        ) : (
          <Link
            to="/$view/$ticket"
            params={{ view: 'all', ticket: run.ticket_number }}
            className={`row-link cut ${styles.ticket}`}
          >
            <span className={styles.number}>{run.ticket_number}</span> <bdi>{run.subject}</bdi>
          </Link>
        )}
        <span>
          <Outcome run={run} />
        </span>
        <span className={styles.did}>{runText(run, reading)}</span>
        <IconButton
          icon={isOpen ? ChevronUp : ChevronDown}
          label={label}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && <RunDetail run={run} others={others} {...reading} />}
      </div>
    </li>
  )
}

function Outcome({ run }: { run: Run }) {
  switch (run.outcome) {
    case 'no_match':
      return <span className={styles.when}>{t('rules.outcome.no_match')}</span>
    case 'stopped':
      return <Badge icon={Ban}>{t('rules.outcome.stopped')}</Badge>
    case 'failed':
      return (
        <Badge tone="red" icon={TriangleAlert}>
          {t('rules.outcome.failed')}
        </Badge>
      )
    case 'watched':
      return (
        <Badge tone="accent" icon={Eye}>
          {t('rules.outcome.watched')}
        </Badge>
      )
    default:
      return skippedOf(run) > 0 ? (
        <Badge tone="amber" icon={CircleAlert}>
          {t('rules.partSkipped', { count: skippedOf(run) })}
        </Badge>
      ) : (
        <Badge icon={Check}>{t('rules.outcome.ran')}</Badge>
      )
  }
}
