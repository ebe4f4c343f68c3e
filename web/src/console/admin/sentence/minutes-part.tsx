import { useState } from 'react'
import { durationText } from '../../../lib/times.ts'
import { readDuration } from '../../../lib/typed-duration.ts'

interface MinutesPartProps {
  label: string
  minutes: number | undefined
  onChange: (minutes: number | undefined) => void
}

/** A time that is typed in a sentence: "2 h", "30 min". */
export function MinutesPart({ label, minutes, onChange }: MinutesPartProps) {
  const [typed, setTyped] = useState(minutes === undefined ? '' : durationText(minutes))
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
      onBlur={() => minutes !== undefined && setTyped(durationText(minutes))}
    />
  )
}
