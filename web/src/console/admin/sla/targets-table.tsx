import { useId, useState } from 'react'
import { t } from '../../../lib/strings.ts'
import { Picker } from '../../../ui/picker.tsx'
import { type Priority, PriorityIcon, priorityLabel } from '../../../ui/status-icon.tsx'
import {
  byUrgency,
  cellOf,
  isTarget,
  type Metric,
  metricLabel,
  metrics,
  type PolicyDraft,
  rewritten
} from './policy.ts'
import styles from './sla.module.css'

interface TargetsTableProps {
  draft: PolicyDraft
  calendars: { id: number; name: string; is_archived: 0 | 1 }[]
  onChange: (targets: PolicyDraft['targets']) => void
}

/** Priority by metric. A field that has the focus offers another calendar. */
export function TargetsTable({ draft, calendars, onChange }: TargetsTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways on a phone must do so by key as well.
    <section className={`tbl-scroll ${styles.targets}`} aria-label={t('sla.byPriority')} tabIndex={0}>
      <table className="tbl">
        <thead>
          <tr>
            <th scope="col">{t('sla.priority')}</th>
            {metrics.map(metric => (
              <th scope="col" key={metric}>
                {metricLabel(metric)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {byUrgency.map(priority => (
            <tr key={priority}>
              <th scope="row">
                <span className="row-x">
                  <PriorityIcon priority={priority} aria-hidden /> {priorityLabel(priority)}
                </span>
              </th>
              {metrics.map(metric => (
                <td key={metric}>
                  <TargetCell
                    priority={priority}
                    metric={metric}
                    draft={draft}
                    calendars={calendars}
                    onChange={onChange}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function TargetCell(props: TargetsTableProps & { priority: Priority; metric: Metric }) {
  const { priority, metric, draft, calendars, onChange } = props
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const cell = cellOf(priority, metric)
  const target = draft.targets[cell]!
  const change = (changed: Partial<typeof target>) => onChange({ ...draft.targets, [cell]: { ...target, ...changed } })
  const isOwn = target.typed !== '' && target.calendarId !== draft.calendarId
  const name = calendars.find(calendar => calendar.id === target.calendarId)?.name ?? ''

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only looks at whether the focus is in it.
    <div
      onFocus={() => setOpen(true)}
      onBlur={({ currentTarget, relatedTarget }) => setOpen(currentTarget.contains(relatedTarget))}
    >
      <input
        className={`input ${styles.target}`}
        type="text"
        autoComplete="off"
        aria-label={`${priorityLabel(priority)}, ${metricLabel(metric)}`}
        aria-describedby={isOwn ? `${id}-own` : undefined}
        aria-invalid={isTarget(target.typed) ? undefined : true}
        placeholder={t('sla.noTarget')}
        value={target.typed}
        onChange={event => change({ typed: event.target.value })}
        onBlur={() => change({ typed: rewritten(target.typed) })}
      />
      {(isOpen || isOwn) && target.typed !== '' && (
        <Picker
          label={t('sla.countBy')}
          items={calendars
            .filter(({ id, is_archived }) => !is_archived || id === target.calendarId)
            .map(({ id, name }) => ({ id, label: name }))}
          selected={target.calendarId}
          trigger={trigger => (
            <button {...trigger} type="button" id={`${id}-own`} className={styles.own}>
              {isOwn ? name : t('sla.countByMore')}
            </button>
          )}
          onChange={calendarId => change({ calendarId })}
        />
      )}
    </div>
  )
}
