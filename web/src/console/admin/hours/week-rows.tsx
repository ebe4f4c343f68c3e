import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { t } from '../../../lib/strings.ts'
import { durationText } from '../../../lib/times.ts'
import { Button } from '../../../ui/button.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { RowMenu } from '../../../ui/table.tsx'
import { eachDay, faultText } from './calendar.ts'
import { weekdayText } from './calendar-dates.ts'
import { DayBar } from './day-bar.tsx'
import styles from './hours.module.css'
import { openMinutes, readTimes, type Span, timesText, withBreak } from './typed-times.ts'
import { nextDay, type Weekday, weekdays } from './weekdays.ts'

type Typed = Readonly<Record<Weekday, string>>

interface WeekRowsProps {
  typed: Typed
  onChange: (typed: Typed) => void
}

/** A row for each day of the week. What is typed counts, the bar is its picture. */
export function WeekRows({ typed, onChange }: WeekRowsProps) {
  return (
    <div className={styles.week}>
      <div className={styles.scale} aria-hidden>
        <span className={styles.ticks}>
          {[0, 6, 12, 18, 24].map(hour => (
            <span key={hour}>{hour}</span>
          ))}
        </span>
      </div>
      {weekdays.map(day => (
        <DayRow key={day} day={day} typed={typed} onChange={onChange} />
      ))}
    </div>
  )
}

function DayRow({ day, typed, onChange }: WeekRowsProps & { day: Weekday }) {
  const id = useId()
  const { spans, fault } = readTimes(typed[day])
  const name = weekdayText(day, 'long')
  const set = (...changed: [Weekday, readonly Span[]][]) =>
    onChange({ ...typed, ...Object.fromEntries(changed.map(([day, spans]) => [day, timesText(spans)])) })
  const overnight = fault?.kind === 'backwards' ? fault.overnight : undefined

  /** The span ends at midnight, and goes on at the beginning of the next day. */
  function splitOvernight() {
    if (!overnight) return
    const tomorrow = nextDay(day)
    const others = readTimes(typed[tomorrow]).spans ?? []
    set([day, [overnight.today]], [tomorrow, [overnight.tomorrow, ...others]])
  }

  const copyTo = (days: readonly Weekday[]) =>
    onChange(eachDay(other => (days.includes(other) ? typed[day] : typed[other])))
  const reason = spans ? undefined : t('hours.firstMend')
  const menu: MenuItem[] = [
    {
      label: t('hours.addBreak'),
      disabledReason: reason ?? (spans!.length === 0 ? t('hours.isClosed') : undefined),
      onSelect: () => set([day, withBreak(spans!)])
    },
    { label: t('hours.close'), onSelect: () => set([day, []]) },
    { label: t('hours.openAllDay'), onSelect: () => set([day, [['00:00', '24:00']]]) },
    { kind: 'separator' },
    { label: t('hours.copyToWorkdays'), disabledReason: reason, onSelect: () => copyTo(weekdays.slice(0, 5)) },
    { label: t('hours.copyToAll'), disabledReason: reason, onSelect: () => copyTo(weekdays) }
  ]

  return (
    <div className={styles.day}>
      <label htmlFor={id}>
        <span aria-hidden>{weekdayText(day, 'short')}</span>
        <span className="visually-hidden">{name}</span>
      </label>
      <DayBar day={day} spans={spans ?? []} onChange={spans => set([day, spans])} />
      <input
        id={id}
        className="input"
        type="text"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        placeholder={t('hours.closed')}
        value={typed[day]}
        data-day={day}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onChange={event => onChange({ ...typed, [day]: event.target.value })}
        onBlur={() => spans && set([day, spans])}
      />
      <span className={styles.sum}>{spans && spans.length > 0 && durationText(openMinutes(spans))}</span>
      <RowMenu items={menu} label={t('hours.actionsFor', { name })} />
      {fault && (
        <div className={styles.fault} id={`${id}-fault`}>
          <TriangleAlert size={14} aria-hidden />
          <span>
            {faultText(fault)}
            {overnight && (
              <>
                {' '}
                {t('hours.overnight', {
                  today: overnight.today.join('–'),
                  tomorrow: overnight.tomorrow.join('–'),
                  day: weekdayText(nextDay(day), 'long')
                })}
              </>
            )}
          </span>
          {overnight && (
            <Button size="sm" onClick={splitOvernight}>
              {t('hours.writeSo')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
