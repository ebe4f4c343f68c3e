import { RefreshCw } from 'lucide-react'
import { post } from '../../../app/api-client.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { Part } from '../../../ui/part.tsx'
import { Picker, type PickId } from '../../../ui/picker.tsx'
import { PriorityIcon, priorities, priorityLabel, StatusIcon, statuses, statusLabel } from '../../../ui/status-icon.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { MinutesPart } from '../sentence/minutes-part.tsx'
import { ActionFieldValue } from './action-field-value.tsx'
import { ActionTexts } from './action-texts.tsx'
import { actionText, calendarText, namesGone, valueText, whoText } from './action-words.ts'
import styles from './actions.module.css'
import { type EditedAction, isUnfinishedAction } from './edited-actions.ts'
import type { ActionChoices } from './use-action-choices.ts'

interface ActionValueProps {
  action: EditedAction
  choices: ActionChoices
  onChange: (action: EditedAction) => void
}

/** What an action is given, as parts of the sentence. */
export function ActionValue({ action, choices, onChange }: ActionValueProps) {
  const { kind, value } = action
  const shared = { action, choices }
  switch (kind) {
    case 'set_status':
      return (
        <One
          {...shared}
          items={statuses.map(status => ({
            id: status,
            label: statusLabel(status),
            icon: <StatusIcon status={status} aria-hidden />
          }))}
          selected={value}
          onChange={value => onChange({ kind, value })}
        />
      )
    case 'set_priority':
      return (
        <One
          {...shared}
          items={priorities.toReversed().map(priority => ({
            id: priority,
            label: priorityLabel(priority),
            icon: <PriorityIcon priority={priority} aria-hidden />
          }))}
          selected={value}
          onChange={value => onChange({ kind, value })}
        />
      )
    case 'move_to':
      return (
        <One
          {...shared}
          items={choices.departments ?? []}
          selected={value}
          onChange={value => onChange({ kind, value })}
        />
      )
    case 'assign':
      return <Assignee {...shared} selected={value} onChange={value => onChange({ kind, value })} />
    case 'watch':
      return (
        <One {...shared} items={choices.staff ?? []} selected={value} onChange={value => onChange({ kind, value })} />
      )
    case 'webhook':
      return (
        <One
          {...shared}
          items={choices.webhooks ?? []}
          selected={value}
          onChange={value => onChange({ kind, value })}
        />
      )
    case 'add_tags':
    case 'remove_tags':
      return <Tags {...shared} chosen={value} onChange={value => onChange({ kind, value })} />
    case 'set_field':
      return <ActionFieldValue value={value} choices={choices} onChange={value => onChange({ kind, value })} />
    case 'notify_staff':
      return (
        <>
          <One
            {...shared}
            text={whoText(value.who, choices)}
            isUnfinished={value.who === undefined}
            items={[
              ...(['assignee', 'watchers', 'department'] as const).map(id => ({ id, label: t(`actions.who.${id}`) })),
              ...(choices.staff ?? [])
            ]}
            selected={value.who}
            onChange={who => onChange({ kind, value: { ...value, who } })}
          />
          {t('actions.with')}
          <ActionTexts action={action} choices={choices} onChange={onChange} />
        </>
      )
    case 'hold':
    case 'drop':
    case 'no_acknowledgement':
    case 'block_sender':
      return null
    case 'snooze':
      return <Snooze value={value} choices={choices} onChange={value => onChange({ kind, value })} />
    default:
      return <ActionTexts action={action} choices={choices} onChange={onChange} />
  }
}

interface OneProps<Id extends PickId> {
  action: EditedAction
  choices: ActionChoices
  items: { id: Id; label: string; icon?: React.ReactNode }[]
  selected: Id | undefined
  /** By default that of the action. */
  text?: string
  isUnfinished?: boolean
  onChange: (id: Id) => void
}

/** A value that is one of many. */
function One<Id extends PickId>({ action, choices, items, selected, onChange, ...own }: OneProps<Id>) {
  const text = own.text ?? valueText(action, choices)
  const isGone = namesGone(action, choices)
  const isUnfinished = own.isUnfinished ?? isUnfinishedAction(action)
  return (
    <Picker
      label={t('actions.chooseValue')}
      items={items}
      selected={selected}
      trigger={trigger => (
        <Part
          {...trigger}
          aria-label={actionText(action, choices)}
          aria-invalid={isUnfinished || undefined}
          className={isGone ? styles.gonePart : undefined}
        >
          <span className={styles.inPart}>
            {items.find(({ id }) => id === selected)?.icon}
            {text}
          </span>
        </Part>
      )}
      onChange={onChange}
    />
  )
}

type AssigneeProps = Omit<ActionValueProps, 'onChange'> & {
  selected: number | null | { round_robin: number } | undefined
  onChange: (value: number | null | { round_robin: number }) => void
}

/** Nobody, somebody, or a department in turn. */
function Assignee({ selected, choices, onChange, ...shared }: AssigneeProps) {
  const idOf = (value: AssigneeProps['selected']) => {
    if (value === undefined) return undefined
    if (value === null) return 'nobody'
    return typeof value === 'number' ? `staff ${value}` : `turn ${value.round_robin}`
  }
  const values: { value: number | null | { round_robin: number }; label: string; icon?: React.ReactNode }[] = [
    ...(choices.departments ?? []).map(({ id, label }) => ({
      value: { round_robin: id },
      label: t('actions.inTurn', { department: label }),
      icon: <RefreshCw size={14} aria-hidden />
    })),
    ...(choices.staff ?? []).map(({ id, label }) => ({ value: id, label })),
    { value: null, label: t('actions.nobody') }
  ]
  return (
    <One
      {...shared}
      choices={choices}
      items={values.map(({ value, ...item }) => ({ id: idOf(value)!, ...item }))}
      selected={idOf(selected)}
      onChange={id => onChange(values.find(({ value }) => idOf(value) === id)!.value)}
    />
  )
}

type TagsProps = Omit<ActionValueProps, 'onChange'> & {
  chosen: readonly string[]
  onChange: (tags: string[]) => void
}

/** Tags by name. One that is to be added can be made here. */
function Tags({ action, chosen, choices, onChange }: TagsProps) {
  const names = [...new Set([...chosen, ...(choices.tags ?? [])])]
  async function create(name: string) {
    try {
      const { tag } = await post('/api/admin/tags/create', { name })
      void reloadQueries('/api/admin/tags/list')
      onChange([...chosen, tag.name])
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    }
  }
  return (
    <Picker
      multiple
      label={t('actions.chooseTags')}
      items={names.map(name => ({ id: name, label: name }))}
      selected={[...chosen]}
      create={
        action.kind === 'add_tags'
          ? { label: name => t('actions.newTag', { name }), onCreate: name => void create(name) }
          : undefined
      }
      trigger={trigger => (
        <Part
          {...trigger}
          aria-label={actionText(action, choices)}
          aria-invalid={isUnfinishedAction(action) || undefined}
        >
          {valueText(action, choices)}
        </Part>
      )}
      onChange={onChange}
    />
  )
}

type SnoozeValue = Extract<EditedAction, { kind: 'snooze' }>['value']

/** "[2 h] [of Berlin office], waiting for [the client]" */
function Snooze(props: { value: SnoozeValue; choices: ActionChoices; onChange: (value: SnoozeValue) => void }) {
  const { value, choices, onChange } = props
  const isGone = namesGone({ kind: 'snooze', value }, choices)
  return (
    <>
      <MinutesPart
        key={value.calendar_id}
        inDays={value.calendar_id === null}
        label={t('actions.snoozeFor')}
        minutes={value.minutes}
        onChange={minutes => onChange({ ...value, minutes })}
      />
      <Picker
        label={t('actions.countBy')}
        items={[
          { id: 0, label: t('actions.roundTheClock') },
          ...(choices.calendars ?? []).map(({ id, label }) => ({ id, label }))
        ]}
        selected={value.calendar_id ?? 0}
        trigger={trigger => (
          <Part {...trigger} className={isGone ? styles.gonePart : undefined}>
            {calendarText(value.calendar_id, choices)}
          </Part>
        )}
        onChange={id => onChange({ ...value, calendar_id: id || null })}
      />
      {t('actions.waitingFor')}
      <Picker
        label={t('actions.waitingFor')}
        items={(['own', 'customer', 'third_party'] as const).map(id => ({ id, label: t(`actions.waits.${id}`) }))}
        selected={value.kind}
        trigger={trigger => <Part {...trigger}>{t(`actions.waits.${value.kind}`)}</Part>}
        onChange={kind => onChange({ ...value, kind })}
      />
    </>
  )
}
