import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { t } from '../../../lib/strings.ts'
import { weekdayText } from './calendar-dates.ts'
import styles from './hours.module.css'
import { clockOf, minutesOf, moveEdge, type Span } from './typed-times.ts'
import type { Weekday } from './weekdays.ts'

const dayMinutes = 1440
const snapMinutes = 15

interface DayBarProps {
  day: Weekday
  spans: readonly Span[]
  onChange: (spans: Span[]) => void
}

/** The hours of a day as a picture. Its edges are moved by dragging, or by the arrow keys. */
export function DayBar({ day, spans, onChange }: DayBarProps) {
  const track = useRef<HTMLDivElement>(null)

  function drag(event: PointerEvent<HTMLButtonElement>, at: number) {
    if (event.button !== 0) return
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    const { left, width } = track.current!.getBoundingClientRect()
    const isRight = document.documentElement.dir === 'rtl'
    handle.onpointermove = ({ clientX }) => {
      const share = isRight ? (left + width - clientX) / width : (clientX - left) / width
      onChange(moveEdge(spans, at, Math.round((share * dayMinutes) / snapMinutes) * snapMinutes))
    }
    handle.onlostpointercapture = () => {
      handle.onpointermove = null
    }
  }

  function press(event: KeyboardEvent, at: number) {
    const now = minutesOf(spans.flat()[at]!)
    const step = event.shiftKey ? 60 : snapMinutes
    const to = {
      ArrowRight: now + step,
      ArrowUp: now + step,
      ArrowLeft: now - step,
      ArrowDown: now - step,
      Home: 0,
      End: dayMinutes
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    onChange(moveEdge(spans, at, to))
  }

  return (
    <div ref={track} className={styles.track}>
      {spans.map(([from, to], at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: spans are told apart by their place alone.
          key={at}
          className={styles.span}
          style={{
            insetInlineStart: `${(minutesOf(from) / dayMinutes) * 100}%`,
            inlineSize: `${((minutesOf(to) - minutesOf(from)) / dayMinutes) * 100}%`
          }}
        >
          {[from, to].map((clock, end) => (
            <button
              key={end === 0 ? 'from' : 'to'}
              type="button"
              role="slider"
              className={styles.edge}
              aria-label={t(end === 0 ? 'hours.opens' : 'hours.closes', { day: weekdayText(day, 'long') })}
              aria-valuemin={0}
              aria-valuemax={dayMinutes}
              aria-valuenow={minutesOf(clock)}
              aria-valuetext={t(end === 0 ? 'hours.dayFrom' : 'hours.dayUntil', {
                day: weekdayText(day, 'long'),
                time: clockOf(minutesOf(clock))
              })}
              onKeyDown={event => press(event, 2 * at + end)}
              onPointerDown={event => drag(event, 2 * at + end)}
            />
          ))}
        </span>
      ))}
    </div>
  )
}
