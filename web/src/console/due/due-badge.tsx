import { Timer, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Key, t } from '../../lib/strings.ts'
import { fullTime } from '../../lib/times.ts'
import { PauseIcon } from '../../ui/status-icon.tsx'
import css from './due-badge.module.css'
import { briefDuration } from './durations.ts'

/** A clock of a ticket, as lists show it. */
export interface DueClock {
  metric: 'first_response' | 'next_response' | 'resolution'
  state: string
  due_at: string | null
  left_seconds: number | null
  target_seconds: number
  is_recomputing: boolean
}

const names: Record<DueClock['metric'], Key> = {
  first_response: 'inbox.dueFirst_response',
  next_response: 'inbox.dueNext_response',
  resolution: 'inbox.dueResolution'
}

export function clockName({ metric }: Pick<DueClock, 'metric'>): string {
  return t(names[metric])
}

/** How much of the target is left when people look more closely. */
const soonShare = 0.25

/** What a badge says of a clock at this moment. The time left stands outside of business hours, but is never more than the time until it is due. */
function dueState({ state, due_at, left_seconds, target_seconds }: DueClock, now = Date.now()) {
  if (state === 'paused') return { tone: 'paused' as const, seconds: left_seconds ?? 0 }
  if (due_at === null) return { tone: 'never' as const, seconds: 0 }
  const untilDue = (Date.parse(due_at) - now) / 1000
  if (untilDue < 0) return { tone: 'late' as const, seconds: -untilDue }
  const seconds = Math.min(left_seconds ?? untilDue, untilDue)
  return { tone: seconds < soonShare * target_seconds ? ('soon' as const) : ('calm' as const), seconds }
}

/** How soon something is due: plain, amber when it is soon, red when it is late. `isWhole`: "18 min left" in place of "18 min". */
export function DueBadge({ sla, isWhole = false }: { sla: DueClock; isWhole?: boolean }) {
  useMinutes()
  const { tone, seconds } = dueState(sla)
  const Glyph = tone === 'paused' ? PauseIcon : tone === 'late' || tone === 'never' ? TriangleAlert : Timer
  return (
    <time className={`${css.due} ${css[tone]}`} dateTime={sla.due_at ?? undefined} title={titleOf(sla)}>
      <Glyph size={12} aria-hidden />
      {!isWhole && <span className="visually-hidden">{clockName(sla)}: </span>}
      {wordsOf(tone, briefDuration(seconds), isWhole)}
    </time>
  )
}

function wordsOf(tone: ReturnType<typeof dueState>['tone'], time: string, isWhole: boolean): string {
  if (tone === 'late') return t('inbox.dueOver', { time })
  if (tone === 'never') return t('inbox.dueNever')
  return tone === 'paused' || isWhole ? t('inbox.dueLeft', { time }) : time
}

function titleOf(sla: DueClock): string {
  const name = clockName(sla) + (sla.is_recomputing ? ` (${t('inbox.dueRecomputing')})` : '')
  if (sla.due_at) return t('inbox.dueAt', { name, time: fullTime(new Date(sla.due_at)) })
  return t(sla.state === 'paused' ? 'inbox.dueStands' : 'inbox.dueNeverAt', { name })
}

/** Renders again with every minute. */
function useMinutes(): void {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setTick(tick => tick + 1), 60_050 - (Date.now() % 60_000))
    return () => clearTimeout(timer)
  })
}
