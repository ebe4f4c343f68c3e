import { Calendar, CalendarClock, Clock, CornerUpRight, DoorOpen, Reply, Sunrise } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type Key, t } from '../../lib/strings.ts'
import { comingTime, listText } from '../../lib/times.ts'
import { Button } from '../../ui/button.tsx'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import type { Icon } from '../../ui/icon.tsx'
import type { SnoozeChoice, SnoozeKind } from './snooze-choice.ts'
import menuCss from './snooze-menu.module.css'
import css from './snooze-panel.module.css'
import { type Preset, type PresetName, snoozePresets } from './snooze-times.ts'
import { useNextOpening } from './use-next-opening.ts'

export interface SnoozePanelProps {
  /** The first name of the client; undefined for several tickets. */
  client: string | undefined
  /** The ticket, by whose calendar the next opening is told; undefined for several, and for one without due times: that of the desk. */
  ticket: number | undefined
  /** Third parties who were asked about the ticket and have not answered, and whether the answer ends any snooze. */
  awaited?: readonly { name: string; wakes: boolean }[]
  /** The present snooze, which is changed. */
  former: { kind: SnoozeKind; reason: string } | null
  onChoose(choice: SnoozeChoice): void
}

const mostReason = 200

const presets = {
  later: { icon: Clock, label: 'snooze.laterToday' },
  tomorrow: { icon: Sunrise, label: 'snooze.tomorrow' },
  nextOpening: { icon: DoorOpen, label: 'snooze.nextOpening' },
  nextWeek: { icon: Calendar, label: 'snooze.nextWeek' }
} as const satisfies Record<PresetName, { icon: Icon; label: Key }>

/** "Tomorrow", "Tomorrow, Berlin office opens", "Next opening, Berlin office" */
function labelOf({ name, opens }: Preset): string {
  const label = t(presets[name].label)
  if (!opens) return label
  const { name: calendar } = opens.calendar
  return name === 'nextOpening' ? `${label}, ${calendar}` : t('snooze.andOpens', { time: label, calendar })
}

/** For whom a ticket waits and why, and then until when: the first time has the focus. */
export function SnoozePanel({ client, ticket, awaited = [], former, onChoose }: SnoozePanelProps) {
  const [kind, setKind] = useState<SnoozeKind>(former?.kind ?? 'own')
  const [reason, setReason] = useState(former?.reason ?? '')
  const [isExact, setExact] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const opening = useNextOpening(ticket)
  // Nothing shows before it is known: what appeared later would move the rows.
  const isKnown = opening !== 'pending'
  useEffect(() => {
    if (isKnown) rowsOf(menu.current)[0]?.focus()
  }, [isKnown])

  const thirdParties = listText(awaited.map(({ name }) => name))
  const waking = awaited.filter(({ wakes }) => wakes).map(({ name }) => name)
  const choose = (time: SnoozeChoice) => onChoose({ ...time, kind, ...(reason.trim() && { reason: reason.trim() }) })

  function move(event: KeyboardEvent) {
    const rows = rowsOf(menu.current)
    const at = rows.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + rows.length, Home: 0, End: rows.length - 1 }[event.key]
    if (to === undefined || at < 0) return
    event.preventDefault()
    event.stopPropagation()
    rows[to % rows.length]?.focus()
  }

  if (!isKnown) return <div className={menuCss.place} />
  return (
    <div className={css.panel}>
      <div className={css.why}>
        <span aria-hidden className={css.label}>
          {t('snooze.waitingFor')}
        </span>
        <SegmentedControl
          label={t('snooze.waitingFor')}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'own', label: t('snooze.us') },
            { value: 'customer', label: t('snooze.theClient') },
            { value: 'third_party', label: t('snooze.somebodyElse') }
          ]}
        />
        <input
          type="text"
          className={css.reason}
          aria-label={t('snooze.reason')}
          placeholder={t('snooze.reasonHint')}
          maxLength={mostReason}
          value={reason}
          onChange={event => setReason(event.target.value)}
        />
      </div>
      <div ref={menu} role="menu" aria-label={t('snooze.until')} className={css.times} onKeyDown={move}>
        {snoozePresets(new Date(), opening).map(preset => (
          <Row
            key={preset.name}
            icon={presets[preset.name].icon}
            label={labelOf(preset)}
            time={comingTime(preset.at)}
            onChoose={() =>
              choose(
                preset.name === 'nextOpening' && preset.opens
                  ? { until_next_open: preset.opens.calendar.id }
                  : { until: preset.at.toISOString() }
              )
            }
          />
        ))}
        <Row
          icon={Reply}
          label={client ? t('snooze.untilWrites', { name: client }) : t('snooze.untilClientWrites')}
          time={t('snooze.noDate')}
          onChoose={() => choose({ until_reply: 1 })}
        />
        {awaited.length > 0 && (
          <Row
            icon={CornerUpRight}
            label={t('snooze.untilAnswers', { names: thirdParties })}
            time={t('snooze.noDate')}
            onChoose={() =>
              onChoose({
                until_reply: 1,
                kind: 'third_party',
                reason: reason.trim() || thirdParties.slice(0, mostReason)
              })
            }
          />
        )}
        {!isExact && (
          <Row icon={CalendarClock} label={t('snooze.dateAndTime')} time="" onChoose={() => setExact(true)} />
        )}
      </div>
      {isExact && <ExactTime onChoose={until => choose({ until })} />}
      <p className={css.foot}>
        {client ? t('snooze.foot', { name: client }) : t('snooze.footMany')}
        {waking.length > 0 && ` ${t('snooze.footAnswer', { names: listText(waking) })}`}
      </p>
    </div>
  )
}

interface RowProps {
  icon: Icon
  label: string
  time: string
  onChoose(): void
}

function Row({ icon: Shown, label, time, onChoose }: RowProps) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} className="opt" onClick={onChoose}>
      <Shown size={16} aria-hidden />
      <span className="label">{label}</span>
      {time && <span className="end">{time}</span>}
    </button>
  )
}

/** Any date and time within a year, by the clock of the viewer. */
function ExactTime({ onChoose }: { onChoose(until: string): void }) {
  const id = useId()
  const now = new Date()
  const lastDay = new Date(now.getFullYear() + 1, now.getMonth(), now.getDate() - 1)
  const [date, setDate] = useState(dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)))
  const [time, setTime] = useState('09:00')
  const [isOver, setOver] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])

  function submit(event: FormEvent) {
    event.preventDefault()
    const at = new Date(`${date}T${time}`)
    if (at.getTime() > Date.now()) onChoose(at.toISOString())
    else setOver(true)
  }

  return (
    <form className={css.exact} onSubmit={submit}>
      <input
        ref={first}
        type="date"
        required
        aria-label={t('snooze.date')}
        min={dayOf(now)}
        max={dayOf(lastDay)}
        value={date}
        onChange={event => setDate(event.target.value)}
      />
      <input
        type="time"
        required
        aria-label={t('snooze.time')}
        aria-describedby={isOver ? id : undefined}
        value={time}
        onChange={event => setTime(event.target.value)}
      />
      <Button type="submit" size="sm" variant="primary">
        {t('snooze.confirm')}
      </Button>
      {isOver && (
        <p id={id} role="alert" className={css.over}>
          {t('snooze.isOver')}
        </p>
      )}
    </form>
  )
}

/** As a date field has it, in the zone of the viewer. */
function dayOf(day: Date): string {
  const digits = (value: number) => String(value).padStart(2, '0')
  return `${day.getFullYear()}-${digits(day.getMonth() + 1)}-${digits(day.getDate())}`
}

function rowsOf(menu: Element | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
}
