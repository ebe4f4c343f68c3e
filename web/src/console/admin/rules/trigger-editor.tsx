import { X } from 'lucide-react'
import { t } from '../../../lib/strings.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Operator, Part } from '../../../ui/part.tsx'
import { Picker } from '../../../ui/picker.tsx'
import type { ActionChoices } from '../actions/use-action-choices.ts'
import { MinutesPart } from '../sentence/minutes-part.tsx'
import { Sentence, SentenceLine } from '../sentence/sentence.tsx'
import { eventLabel, eventsOfTickets, type TicketEventKind } from '../sentence/ticket-events.ts'
import { type EditedTimer, type EditedTrigger, timerBases, triggerText } from './rule.ts'
import styles from './rules.module.css'

interface TriggerEditorProps {
  trigger: EditedTrigger
  choices: ActionChoices
  calendar: (id: number) => string
  onChange: (trigger: EditedTrigger) => void
}

const firstTimer: EditedTimer = { basis: 'status_since', minutes: undefined, direction: 'after', calendar_id: null }

/** When a rule runs: "When [a ticket is opened] or [tags change]", or "When it is [5 days] after [the last reply]". */
export function TriggerEditor({ trigger, choices, calendar, onChange }: TriggerEditorProps) {
  return (
    <Sentence>
      <SentenceLine word={t('rules.when')} legend={`${t('rules.when')} ${triggerText(trigger, calendar)}`}>
        {trigger.timer ? (
          <Timer
            timer={trigger.timer}
            choices={choices}
            calendar={calendar}
            onChange={timer => onChange({ timer })}
            onEvents={() => onChange({ events: [] })}
          />
        ) : (
          <Events
            events={trigger.events}
            onChange={events => onChange({ events })}
            onTimer={() => onChange({ timer: firstTimer })}
          />
        )}
      </SentenceLine>
    </Sentence>
  )
}

interface EventsProps {
  events: TicketEventKind[]
  onChange: (events: TicketEventKind[]) => void
  onTimer: () => void
}

function Events({ events, onChange, onTimer }: EventsProps) {
  const picker = (at: number) => ({
    label: t('rules.chooseEvent'),
    items: [
      // Only a rule without events yet becomes one of time: another one would lose them.
      ...(events.length <= 1 ? [{ id: 'timer' as const, label: t('rules.aTimeComes') }] : []),
      ...eventsOfTickets
        .filter(
          kind => kind === events[at] || (!events.includes(kind) && (events.length <= 1 || kind !== 'mail.received'))
        )
        .map(id => ({ id, label: eventLabel(id) }))
    ],
    onChange: (kind: TicketEventKind | 'timer') =>
      kind === 'timer' ? onTimer() : onChange(at < events.length ? events.with(at, kind) : [...events, kind])
  })
  return (
    <>
      {events.map((kind, at) => (
        <span key={kind} className={styles.event}>
          {at > 0 && t('definition.or')}
          <Picker {...picker(at)} selected={kind} trigger={trigger => <Part {...trigger}>{eventLabel(kind)}</Part>} />
          {events.length > 1 && (
            <IconButton
              icon={X}
              size={14}
              label={t('definition.removeLine', { line: eventLabel(kind) })}
              onClick={() => onChange(events.toSpliced(at, 1))}
            />
          )}
        </span>
      ))}
      <Picker
        {...picker(events.length)}
        trigger={trigger => (
          <Part {...trigger} adds aria-invalid={events.length === 0 || undefined}>
            {t(events.length === 0 ? 'rules.somethingHappens' : 'definition.orMore')}
          </Part>
        )}
      />
    </>
  )
}

/** Those without a custom field. */
const plainBases = (Object.keys(timerBases) as (keyof typeof timerBases)[]).filter(id => id !== 'date_field')

interface TimerProps {
  timer: EditedTimer
  choices: ActionChoices
  calendar: (id: number) => string
  onChange: (timer: EditedTimer) => void
  onEvents: () => void
}

function Timer({ timer, choices, calendar, onChange, onEvents }: TimerProps) {
  const { field_id: field, ...rest } = timer
  const { basis, minutes, direction, calendar_id: id } = rest
  const days = (choices.fields ?? []).filter(({ kind }) => kind === 'date')
  const day = days.find(({ id }) => id === field)
  const ofCalendar = (id: number | null) =>
    id === null ? t('actions.roundTheClock') : t('actions.ofCalendar', { name: calendar(id) })
  return (
    <>
      {t('rules.itIs')}
      <MinutesPart
        // Another calendar shows the same time in other words.
        key={id}
        label={t('rules.howLong')}
        minutes={minutes}
        inDays={id === null}
        onChange={minutes => onChange({ ...timer, minutes })}
      />
      {direction === 'after' && (
        <Picker
          label={t('actions.countBy')}
          items={[
            { id: 0, label: t('actions.roundTheClock') },
            ...(choices.calendars ?? []).map(({ id, label }) => ({ id, label }))
          ]}
          selected={id ?? 0}
          trigger={trigger => <Part {...trigger}>{ofCalendar(id)}</Part>}
          onChange={id => onChange({ ...timer, calendar_id: id || null })}
        />
      )}
      <Picker
        label={t('rules.afterOrBefore')}
        items={[
          { id: 'after', label: t('rules.after') },
          { id: 'before', label: t('rules.before') }
        ]}
        selected={direction}
        trigger={trigger => <Operator {...trigger}>{t(`rules.${direction}`)}</Operator>}
        // Open time is counted forwards alone.
        onChange={direction => onChange({ ...timer, direction, ...(direction === 'before' && { calendar_id: null }) })}
      />
      <Picker<keyof typeof timerBases | number | 'events'>
        label={t('rules.chooseBasis')}
        items={[
          ...plainBases.map(id => ({ id, label: t(timerBases[id]) })),
          ...days.map(({ id, label }) => ({ id, label: t('rules.dayOf', { field: label }) })),
          { id: 'events' as const, label: t('rules.insteadHappens') }
        ]}
        selected={field ?? basis}
        trigger={trigger => (
          <Part {...trigger}>{day ? t('rules.dayOf', { field: day.label }) : t(timerBases[basis])}</Part>
        )}
        onChange={next => {
          if (next === 'events') onEvents()
          else if (typeof next === 'number') onChange({ ...rest, basis: 'date_field', field_id: next })
          else onChange({ ...rest, basis: next })
        }}
      />
    </>
  )
}
