import { CalendarClock, ChevronLeft, ChevronRight, Plus } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { t } from '../../../lib/strings.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { RowMenu } from '../../../ui/table.tsx'
import type { Day } from './calendar.ts'
import { faultText } from './calendar.ts'
import { dayAndDateText } from './calendar-dates.ts'
import styles from './hours.module.css'
import { SuggestedDays } from './suggested-days.tsx'
import { readTimes, timesText } from './typed-times.ts'

interface DaysCardProps {
  days: readonly Day[]
  /** The date in the zone of the calendar. */
  today: string
  /** The year whose days are suggested from the beginning, because a link asks for it. */
  suggested: number | undefined
  /** Whether a date is closed by the week alone. */
  isClosedAnyway: (date: string) => boolean
  onChange: (days: Day[]) => void
}

/** The holidays and special days of a year. */
export function DaysCard({ days, today, suggested, isClosedAnyway, onChange }: DaysCardProps) {
  const id = useId()
  const [year, setYear] = useState(suggested ?? Number(today.slice(0, 4)))
  const [areOverShown, setOverShown] = useState(false)
  /** The date whose row is edited; `new` for one that is added. */
  const [edited, setEdited] = useState<string>()
  const [suggestedYear, setSuggestedYear] = useState(suggested)
  const ofYear = days.filter(({ date }) => date.startsWith(`${year}-`)).toSorted(byDate)
  const over = ofYear.filter(({ date }) => date < today)
  const shown = areOverShown ? ofYear : ofYear.filter(({ date }) => date >= today)
  const lacking = lackingYear(days, year, today)

  function put(former: string | undefined, day: Day) {
    onChange([...days.filter(({ date }) => date !== former && date !== day.date), day].toSorted(byDate))
    setEdited(undefined)
    setYear(Number(day.date.slice(0, 4)))
    if (day.date < today) setOverShown(true)
  }

  const head = (
    <div className="hd">
      <h2 id={id} className="grow">
        {t('hours.days')}
      </h2>
      <IconButton icon={ChevronLeft} label={t('hours.yearBefore')} onClick={() => setYear(year - 1)} />
      <span className="num" aria-live="polite">
        {year}
      </span>
      <IconButton icon={ChevronRight} label={t('hours.yearAfter')} onClick={() => setYear(year + 1)} />
      <Button icon={Plus} onClick={() => setEdited('new')}>
        {t('hours.addDay')}
      </Button>
    </div>
  )
  if (suggestedYear === year)
    return (
      <section className="card" aria-labelledby={id}>
        {head}
        <SuggestedDays
          year={year}
          days={days}
          isClosedAnyway={isClosedAnyway}
          onAdd={added => {
            onChange([...days, ...added].toSorted(byDate))
            setSuggestedYear(undefined)
          }}
          onClose={() => setSuggestedYear(undefined)}
        />
      </section>
    )

  return (
    <section className="card" aria-labelledby={id}>
      {head}
      {over.length > 0 && (
        <p className={styles.fold}>
          <button
            type="button"
            className="link"
            aria-expanded={areOverShown}
            onClick={() => setOverShown(!areOverShown)}
          >
            {areOverShown ? t('hours.hideOver') : t('hours.showOver', { count: over.length })}
          </button>
        </p>
      )}
      {edited === 'new' && (
        <DayForm year={year} onSave={day => put(undefined, day)} onClose={() => setEdited(undefined)} />
      )}
      <ul className={styles.days}>
        {shown.map(day =>
          edited === day.date ? (
            <li key={day.date}>
              <DayForm
                day={day}
                year={year}
                onSave={next => put(day.date, next)}
                onClose={() => setEdited(undefined)}
              />
            </li>
          ) : (
            <li key={day.date} className={styles.dayLine}>
              <span className={styles.date}>{dayAndDateText(day.date)}</span>
              <bdi className={styles.dayName}>{day.name}</bdi>
              <span className={styles.times}>{timesText(day.hours) || t('hours.closed')}</span>
              <RowMenu
                label={t('hours.actionsFor', { name: day.name })}
                items={[
                  { label: t('hours.editDay'), onSelect: () => setEdited(day.date) },
                  {
                    label: t('hours.removeDay'),
                    danger: true,
                    onSelect: () => onChange(days.filter(({ date }) => date !== day.date))
                  }
                ]}
              />
            </li>
          )
        )}
      </ul>
      {lacking !== undefined && (
        <div className={styles.lacking}>
          <CalendarClock size={16} aria-hidden />
          <span className="grow">{t('hours.noDaysOf', { year: String(lacking) })}</span>
          <Button
            onClick={() => {
              setYear(lacking)
              setSuggestedYear(lacking)
            }}
          >
            {t('hours.suggestFor', { year: String(lacking) })}
          </Button>
        </div>
      )}
    </section>
  )
}

/** The year that should have days and has none: the one that is shown, or near its end the next one. */
function lackingYear(days: readonly Day[], year: number, today: string): number | undefined {
  const hasDays = (year: number) => days.some(({ date }) => date.startsWith(`${year}-`))
  const thisYear = Number(today.slice(0, 4))
  if (year >= thisYear && !hasDays(year)) return year
  return year === thisYear && today.slice(5) >= '10-01' && !hasDays(year + 1) ? year + 1 : undefined
}

interface DayFormProps {
  day?: Day
  year: number
  onSave: (day: Day) => void
  onClose: () => void
}

/** A row in which a day is typed. */
function DayForm({ day, year, onSave, onClose }: DayFormProps) {
  const id = useId()
  const [date, setDate] = useState(day?.date ?? '')
  const [name, setName] = useState(day?.name ?? '')
  const [typed, setTyped] = useState(day ? timesText(day.hours) : '')
  const { spans, fault } = readTimes(typed)

  function save(event: FormEvent) {
    event.preventDefault()
    if (date && name.trim() && spans) onSave({ date, name: name.trim(), hours: spans })
  }

  return (
    <form className={styles.dayForm} onSubmit={save}>
      <label htmlFor={`${id}-date`} className="visually-hidden">
        {t('hours.date')}
      </label>
      <input
        id={`${id}-date`}
        className="input"
        type="date"
        required
        // biome-ignore lint/a11y/noAutofocus: the row opens because somebody wants to write in it.
        autoFocus
        min={day ? undefined : `${year}-01-01`}
        max="2100-12-31"
        value={date}
        onChange={event => setDate(event.target.value)}
      />
      <label htmlFor={`${id}-name`} className="visually-hidden">
        {t('hours.dayName')}
      </label>
      <input
        id={`${id}-name`}
        className="input"
        type="text"
        required
        maxLength={100}
        placeholder={t('hours.dayName')}
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <label htmlFor={`${id}-times`} className="visually-hidden">
        {t('hours.times')}
      </label>
      <input
        id={`${id}-times`}
        className="input"
        type="text"
        autoComplete="off"
        maxLength={200}
        placeholder={t('hours.closed')}
        value={typed}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onChange={event => setTyped(event.target.value)}
        onBlur={() => spans && setTyped(timesText(spans))}
      />
      <div className={styles.dayActs}>
        <Button variant="quiet" onClick={onClose}>
          {t('definition.discard')}
        </Button>
        <Button type="submit">{day ? t('hours.changeDay') : t('hours.addThisDay')}</Button>
      </div>
      {fault && (
        <p className={styles.formFault} id={`${id}-fault`} role="alert">
          {faultText(fault)}
        </p>
      )}
    </form>
  )
}

function byDate(one: Day, other: Day): number {
  return one.date < other.date ? -1 : 1
}
