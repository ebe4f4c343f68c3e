import type { DataOf } from '@deskline/client'
import { useId, useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useDebounced } from '../../../app/use-debounced.ts'
import { t } from '../../../lib/strings.ts'
import { durationText } from '../../../lib/times.ts'
import { readDuration } from '../../../lib/typed-duration.ts'
import { type Step, Steps } from '../../../ui/steps.tsx'
import type { Day, Week } from './calendar.ts'
import { instantIn, localIn, momentText, weekdayAndTime } from './calendar-dates.ts'
import styles from './hours.module.css'

const path = '/api/admin/calendars/preview'
type Preview = DataOf<typeof path>

interface TryCardProps {
  zone: string
  /** What is asked: the hours as they are edited. Undefined while something cannot be read. */
  hours: { weeks: Week[]; days: Day[] } | undefined
}

/** "A ticket opened on [Fri 16:30] with [4 h] is due on Mon 12:30", by the hours as they are on the page. */
export function TryCard({ zone, hours }: TryCardProps) {
  const id = useId()
  const [local, setLocal] = useState(() => comingFriday(zone))
  const [typed, setTyped] = useState(() => durationText(240))
  const minutes = readDuration(typed)
  const body = {
    from: local && instantIn(zone, local).toISOString(),
    minutes: minutes ?? 0,
    calendar: { time_zone: zone, weeks: hours?.weeks ?? [], days: hours?.days ?? [] }
  }
  // Compared by what it says: an equal question is not asked again.
  const asked = JSON.parse(useDebounced(JSON.stringify(body), 200)) as typeof body
  const isAskable = Boolean(asked.from && asked.minutes && asked.calendar.weeks.length > 0)
  const answer = useApiQuery(path, asked, { enabled: isAskable, placeholderData: former => former, retry: false })
  const isOld = answer.isFetching || !isAskable || JSON.stringify(asked) !== JSON.stringify(body)

  return (
    <div className={styles.sideCard}>
      <section className="card" aria-labelledby={id}>
        <div className="hd">
          <h2 id={id}>{t('hours.tryIt')}</h2>
        </div>
        <div className={styles.try}>
          <p className={styles.tryText} data-old={isOld || undefined}>
            {t('hours.openedOn')}{' '}
            <input
              className="part"
              type="datetime-local"
              aria-label={t('hours.openedOn')}
              value={local}
              onChange={event => setLocal(event.target.value)}
            />{' '}
            {t('hours.with')}{' '}
            <input
              className="part"
              type="text"
              aria-label={t('hours.openTime')}
              aria-invalid={minutes ? undefined : true}
              value={typed}
              onChange={event => setTyped(event.target.value)}
              onBlur={() => minutes && setTyped(durationText(minutes))}
            />{' '}
            <output>
              <Due zone={zone} preview={answer.data} />
            </output>
          </p>
          {answer.data?.due_at && (
            <div className={styles.trySteps} data-old={isOld || undefined}>
              <Steps label={t('hours.howCounted')} steps={stepsOf(zone, answer.data)} />
            </div>
          )}
        </div>
      </section>
      <p className={styles.zoneHint}>{zoneHint(zone)}</p>
    </div>
  )
}

function Due({ zone, preview }: { zone: string; preview: Preview | undefined }) {
  if (!preview) return null
  if (!preview.due_at) return t('hours.neverDue')
  return (
    <>
      {t('hours.isDueOn')} <b>{momentText(zone, new Date(preview.due_at))}</b>.
    </>
  )
}

interface Stretch {
  kind: 'counted' | 'closed'
  from: string
  minutes: number
  reasons: string[]
}

/** Nights, weekends and holidays that follow each other are one stretch in which it is closed. */
function stretches(steps: Preview['steps']): Stretch[] {
  const found: Stretch[] = []
  for (const { kind, from, minutes, why } of steps) {
    const last = found.at(-1)
    const reasons = why ? [why] : []
    if (last && kind === 'closed' && last.kind === 'closed') last.reasons.push(...reasons)
    else found.push({ kind, from, minutes, reasons })
  }
  return found
}

/** "weekend, Easter Monday": a night is not told beside them. */
function reasonText(reasons: string[]): string {
  const special = [...new Set(reasons)].filter(reason => reason !== 'outside hours')
  return (special.length > 0 ? special : ['outside hours'])
    .map(reason =>
      Object.hasOwn(knownReasons, reason) ? t(knownReasons[reason as keyof typeof knownReasons]) : reason
    )
    .join(', ')
}

const knownReasons = {
  weekend: 'hours.why.weekend',
  lunch: 'hours.why.lunch',
  break: 'hours.why.break',
  'outside hours': 'hours.why.outside'
} as const

function stepsOf(zone: string, { due_at, steps }: Preview): Step[] {
  const first = steps[0]
  if (!first || !due_at) return []
  let former = ''
  // The weekday is said where it is another one.
  const at = (instant: string) => {
    const shown = weekdayAndTime(zone, new Date(instant))
    const [day] = shown.split(' ')
    const isSame = day === former
    former = day!
    return isSame ? shown.slice(day!.length + 1) : shown
  }
  return [
    { kind: 'moment', mark: 'full', text: t('hours.opened'), time: at(first.from) },
    ...stretches(steps).map(({ kind, from, minutes, reasons }, place): Step => {
      const time = place === 0 ? undefined : at(from)
      if (kind === 'counted') return { kind, text: t('hours.counted', { time: durationText(minutes) }), time }
      return { kind, text: t('hours.closedBecause', { reason: reasonText(reasons) }), time }
    }),
    { kind: 'moment', mark: 'full', text: t('hours.due'), time: at(due_at) }
  ]
}

/** "Times of Europe/Berlin. Your own clock shows the same now." */
function zoneHint(zone: string): string {
  const now = new Date()
  const there = localIn(zone, now)
  const here = localIn(Intl.DateTimeFormat().resolvedOptions().timeZone, now)
  if (there === here) return t('hours.zoneIsOwn', { zone })
  return t('hours.zoneIsOther', { zone, time: there.slice(11) })
}

/** Half an hour before the end of a usual week. */
function comingFriday(zone: string): string {
  const today = localIn(zone, new Date()).slice(0, 10)
  const days = (5 - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7 || 7
  return `${new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)}T16:30`
}
