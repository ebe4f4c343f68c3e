import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import { spanOf } from './report-question.ts'
import type { ChooseReport, ReportSearch } from './report-search.ts'
import styles from './reports.module.css'

interface TimeChoiceProps {
  search: ReportSearch
  onChoose: ChooseReport
}

/** The last days, or from one day to another. */
export function TimeChoice({ search, onChoose }: TimeChoiceProps) {
  const isChosen = search.from !== undefined
  const [days, setDays] = useState(() => spanOf(search))
  const change = (changed: Partial<typeof days>) => {
    const next = { ...days, ...changed }
    setDays(next)
    if (next.from !== '' && next.from <= next.to) onChoose(next)
  }
  return (
    <>
      <SegmentedControl
        label={t('reports.time')}
        value={isChosen ? 'other' : String(search.days)}
        options={(['7', '30', '365', 'other'] as const).map(value => ({ value, label: t(`reports.days.${value}`) }))}
        onChange={value => {
          if (value === 'other') return change({})
          const days = Number(value) as ReportSearch['days']
          onChoose({ days, from: undefined, to: undefined, by: undefined })
        }}
      />
      {isChosen && (
        <span className={styles.days}>
          <DayField label={t('reports.from')} value={days.from} max={days.to} onChange={from => change({ from })} />
          <DayField label={t('reports.to')} value={days.to} min={days.from} onChange={to => change({ to })} />
        </span>
      )}
    </>
  )
}

interface DayFieldProps {
  label: string
  value: string
  min?: string
  max?: string
  onChange(day: string): void
}

function DayField({ label, onChange, ...days }: DayFieldProps) {
  return (
    <label>
      {label} <input type="date" className="input" {...days} onChange={event => onChange(event.target.value)} />
    </label>
  )
}
