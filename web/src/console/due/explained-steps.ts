import { t } from '../../lib/strings.ts'
import { instantOf, locale } from '../../lib/times.ts'
import type { Step } from '../../ui/steps.tsx'
import { exactDuration } from './durations.ts'
import type { ExplainedClock } from './shown-clocks.ts'

const clockFace = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' })
const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const day = 86_400_000

/** "14:50" today, "Tue, 14:50" within a week, then "12 Oct, 14:50". */
export function momentText(at: string, now = new Date()): string {
  const instant = instantOf(at)
  const time = clockFace.format(instant)
  if (instant.toDateString() === now.toDateString()) return time
  const isNear = Math.abs(instant.getTime() - now.getTime()) < 6 * day
  return `${(isNear ? weekday : date).format(instant)}, ${time}`
}

const ends = {
  met: 'due.endMet',
  breached: 'due.endMet',
  dropped: 'due.endDropped',
  withdrawn: 'due.endWithdrawn'
} as const

/** The time line of a clock: its beginning, every stretch, now and when it is due, or how it ended. */
export function stepsOf(clock: ExplainedClock, now = new Date()): Step[] {
  const { metric, started_at, ended_at, due_at, is_ended, state } = clock
  const due: Step | undefined = due_at
    ? { kind: 'moment', mark: 'late', text: t('due.due'), time: momentText(due_at) }
    : undefined
  const lines: Step[] = [
    {
      kind: 'moment',
      mark: 'full',
      text: t(metric === 'next_response' ? 'due.written' : 'due.opened'),
      time: momentText(started_at)
    }
  ]
  let [isNowTold, isDueTold] = [is_ended, false]
  const tell = (line: Step | undefined) => line && lines.push(line)
  for (const step of cutAtDue(clock).filter(isTold)) {
    if (!isDueTold && due && due_at! <= step.from && due_at! < (ended_at ?? now.toISOString())) {
      tell(due)
      isDueTold = true
    }
    if (!isNowTold && (step.kind === 'expected' || Date.parse(step.to) > now.getTime() + 60_000)) {
      tell({ kind: 'moment', text: t('due.now'), time: clockFace.format(now) })
      isNowTold = true
    }
    tell(lineOf(step, lines.length > 1))
  }
  if (!isNowTold) tell({ kind: 'moment', text: t('due.now'), time: clockFace.format(now) })
  if (is_ended) {
    const key =
      metric === 'resolution' && (state === 'met' || state === 'breached')
        ? 'due.endClosed'
        : ends[state as keyof typeof ends]
    tell({ kind: 'moment', text: t(key), time: momentText(ended_at!) })
  } else if (!isDueTold) tell(due)
  return lines
}

type ExplainedStep = ExplainedClock['steps'][number]

/** What took no minute is told of moves alone. */
function isTold({ kind, minutes }: ExplainedStep): boolean {
  return kind === 'moved' || minutes >= 1
}

/** A stretch during which it fell due is told as two. */
function cutAtDue({ steps, due_at }: ExplainedClock): ExplainedStep[] {
  if (due_at === null) return steps
  return steps.flatMap(step => {
    if (step.kind !== 'counted' || due_at <= step.from || due_at >= step.to) return [step]
    const first = (Date.parse(due_at) - Date.parse(step.from)) / 60_000
    return [
      { ...step, to: due_at, minutes: first },
      { ...step, from: due_at, minutes: step.minutes - first }
    ]
  })
}

function lineOf({ kind, minutes, why, from }: ExplainedStep, hasTime: boolean): Step {
  const [time, duration] = [hasTime ? momentText(from) : undefined, exactDuration(minutes * 60)]
  switch (kind) {
    case 'counted':
      return { kind: 'counted', text: t('due.counted', { time: duration }), time }
    case 'expected':
      return { kind: 'expected', text: t('due.left', { time: duration }) }
    case 'closed':
      return { kind: 'closed', text: t('due.closed', { why: why ?? '' }), time }
    case 'paused':
      return { kind: 'closed', text: t('due.stood', { why: why ?? '' }), time }
    default:
      return { kind: 'moment', mark: 'former', text: why ?? '', time }
  }
}
