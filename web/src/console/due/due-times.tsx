import type { UseQueryResult } from '@tanstack/react-query'
import { Check, ChevronDown, ChevronUp, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Delayed, Skeleton } from '../../ui/skeleton.tsx'
import { Link } from '../navigation.ts'
import { clockName, DueBadge } from './due-badge.tsx'
import css from './due-times.module.css'
import { exactDuration } from './durations.ts'
import { type ExplainedClock, shownClocks } from './shown-clocks.ts'
import { WhyDue } from './why-due.tsx'

interface DueTimesProps {
  ticket: number
  /** As far as the ticket itself tells. */
  hasClocks: boolean
  className?: string | undefined
  /** The sheet has a heading of its own. */
  isSheet?: boolean
}

/** The due times of a ticket, each of which opens its explanation in place; nothing if there are none. */
export function DueTimes({ ticket, hasClocks, className, isSheet = false }: DueTimesProps) {
  const asked = useApiQuery('/api/admin/tickets/sla', { id: ticket })
  const isAdmin = useMe().isAdmin
  const isEmpty = asked.data?.clocks.length === 0
  const known = useApiQuery('/api/admin/sla-policies/list', undefined, {
    enabled: isAdmin && isEmpty,
    staleTime: 300_000
  })
  const hasPolicies = known.data?.policies.some(({ is_active, is_archived }) => is_active && !is_archived) ?? false
  const content = contentOf(asked, { hasClocks, hasPolicies })
  if (!content) return null
  return (
    <section className={className} aria-label={t('due.heading')}>
      {!isSheet && <h3 className={css.heading}>{t('due.heading')}</h3>}
      {content}
    </section>
  )
}

function contentOf(
  { data, isError, refetch }: UseQueryResult<{ clocks: ExplainedClock[] }>,
  { hasClocks, hasPolicies }: { hasClocks: boolean; hasPolicies: boolean }
): ReactNode {
  if (data) {
    const clocks = shownClocks(data.clocks)
    return clocks.length > 0 ? <Clocks clocks={clocks} /> : hasPolicies && data.clocks.length === 0 && <NoPolicy />
  }
  if (isError) {
    return (
      <div className={css.unread}>
        <span>{t('due.notRead')}</span>
        <Button size="sm" onClick={() => void refetch()}>
          {t('due.again')}
        </Button>
      </div>
    )
  }
  return (
    hasClocks && (
      <Delayed>
        <Skeleton lines={2} />
      </Delayed>
    )
  )
}

function Clocks({ clocks }: { clocks: readonly ExplainedClock[] }) {
  const [open, setOpen] = useState<ExplainedClock['metric']>()
  return clocks.map(clock => (
    <ClockRow
      key={clock.metric}
      clock={clock}
      isOpen={open === clock.metric}
      onToggle={() => setOpen(open === clock.metric ? undefined : clock.metric)}
    />
  ))
}

interface ClockRowProps {
  clock: ExplainedClock
  isOpen: boolean
  onToggle(): void
}

function ClockRow({ clock, isOpen, onToggle }: ClockRowProps) {
  const id = useId()
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <>
      <button
        type="button"
        className={css.row}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        data-property="due"
        onClick={onToggle}
      >
        <span className={css.name}>{clockName(clock)}</span>
        <span className={css.value}>{clock.is_ended ? <Ended clock={clock} /> : <DueBadge sla={clock} isWhole />}</span>
        <Chevron size={14} aria-hidden />
      </button>
      {isOpen && <WhyDue id={id} clock={clock} />}
    </>
  )
}

/** "after 38 min of 4 h", or "1 h 20 late". */
function Ended({ clock: { state, counted_seconds, target_seconds } }: { clock: ExplainedClock }) {
  const isLate = state === 'breached'
  const Glyph = isLate ? TriangleAlert : Check
  return (
    <span className={isLate ? css.late : css.met}>
      <Glyph size={14} aria-hidden />
      {isLate
        ? t('due.late', { time: exactDuration(counted_seconds - target_seconds) })
        : t('due.after', { time: exactDuration(counted_seconds), target: exactDuration(target_seconds) })}
    </span>
  )
}

/** Admins learn why a ticket has no due times. */
function NoPolicy() {
  return (
    <p className={css.none}>
      {t('due.noPolicy')} <Link to="/sla">{t('due.policies')}</Link>
    </p>
  )
}
