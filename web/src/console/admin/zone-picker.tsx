import { Globe } from 'lucide-react'
import { useMemo } from 'react'
import { Part } from '../../ui/part.tsx'
import { Picker } from '../../ui/picker.tsx'

interface ZonePickerProps {
  label: string
  zone: string
  onChange: (zone: string) => void
}

/** A time zone by its name: "berl" finds Europe/Berlin. */
export function ZonePicker({ label, zone, onChange }: ZonePickerProps) {
  const items = useMemo(() => {
    const now = new Date()
    const zones = new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])
    return [...zones].map(id => ({ id, label: id.replaceAll('_', ' '), words: id, hint: offsetText(id, now) }))
  }, [zone])
  return (
    <Picker
      label={label}
      items={items}
      selected={zone}
      trigger={trigger => (
        <Part {...trigger} hasChevron icon={Globe} aria-label={`${label}: ${zone}`}>
          {zone.replaceAll('_', ' ')}
        </Part>
      )}
      onChange={onChange}
    />
  )
}

/** "GMT+1" */
function offsetText(zone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(now)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
