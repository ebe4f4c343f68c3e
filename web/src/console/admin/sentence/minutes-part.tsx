import { useState } from 'react'
import { durationText, spanText } from '../../../lib/times.ts'
import { readDuration } from '../../../lib/typed-duration.ts'

interface MinutesPartProps {
  label: string
  minutes: number | undefined
  /** Time round the clock, of which 24 hours are a day. */
  inDays?: boolean
  onChange: (minutes: number | undefined) => void
}

/** A time that is typed in a sentence: "2 h", "30 min". */
export function MinutesPart({ label, minutes, inDays, onChange }: MinutesPartProps) {
  const textOf = inDays ? spanText : durationText
  const [typed, setTyped] = useState(minutes === undefined ? '' : textOf(minutes))
  return (
    <input
      className="part"
      type="text"
      autoComplete="off"
      aria-label={label}
      aria-invalid={minutes === undefined || undefined}
      value={typed}
      onChange={event => {
        setTyped(event.target.value)
        onChange(readDuration(event.target.value) || undefined)
      }}
      onBlur={() => minutes !== undefined && setTyped(textOf(minutes))}
    />
  )
}
