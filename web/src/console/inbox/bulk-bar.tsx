import { AlarmClock, ArrowDownUp, Check, FolderInput, Moon, Tag as TagIcon, Trash2, User } from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { useMe } from '../../app/me.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Picker } from '../../ui/picker.tsx'
import { PriorityIcon, priorityLabel, StatusIcon, statusLabel } from '../../ui/status-icon.tsx'
import { awayText } from '../away.ts'
import { SnoozeMenu } from '../snooze/snooze-menu.tsx'
import css from './bulk-bar.module.css'
import type { BulkChange } from './bulk-change.ts'
import { priorities, statuses } from './queue-search.ts'
import type { ListedTicket } from './ticket-list.ts'
import { useColleagues } from './use-colleagues.ts'

/** Loaded with its strings once tickets are selected. */
const BulkLink = lazyPart(async () => {
  const [{ BulkLink }] = await Promise.all([import('./bulk-link.tsx'), loadStrings('links')])
  return { default: BulkLink }
})

const BulkMacro = lazyPart(async () => {
  const [{ BulkMacro }] = await Promise.all([import('./bulk-macro.tsx'), loadStrings('macros', 'actions')])
  return { default: BulkMacro }
})

const BulkField = lazyPart(async () => {
  const [{ BulkField }] = await Promise.all([import('./bulk-field.tsx'), loadStrings('fields-bulk')])
  return { default: BulkField }
})

interface BulkBarProps {
  selected: readonly ListedTicket[]
  /** The number of tickets processed so far. */
  progress: number | undefined
  onChange(change: BulkChange): void
  onClear(): void
}

/** The actions on the selected tickets, docked under the list. */
export function BulkBar({ selected, progress, onChange, onClear }: BulkBarProps) {
  const me = useMe()
  const [isAsking, setIsAsking] = useState(false)
  const count = selected.length
  return (
    <div className={css.bar} role="toolbar" aria-label={t('inbox.selectedTickets')}>
      <b className={css.count}>{t('inbox.selected', { count })}</b>
      {progress !== undefined && count > 100 ? (
        <span className={css.progress}>
          <progress value={progress} max={count} aria-label={t('inbox.changing')} />
          <span>{t('inbox.dealtWith', { done: progress, count })}</span>
        </span>
      ) : (
        <>
          {me.can('tickets.edit_status') && (
            <Changes selected={selected} isBusy={progress !== undefined} onChange={onChange} />
          )}
          {me.can('tickets.edit_status') && (
            <Snooze selected={selected} isBusy={progress !== undefined} onChange={onChange} />
          )}
          {me.can('tickets.edit_status') && (
            <Suspense>
              <BulkField count={count} isBusy={progress !== undefined} onChange={onChange} />
            </Suspense>
          )}
          {(me.can('tickets.edit_status') || me.can('tickets.reply')) && (
            <Suspense>
              <BulkMacro selected={selected} isBusy={progress !== undefined} onChange={onChange} />
            </Suspense>
          )}
          {me.can('tickets.delete') && (
            <Button size="sm" variant="quiet" className={css.danger!} icon={Trash2} onClick={() => setIsAsking(true)}>
              <span className={css.label}>{t('inbox.trash')}</span>
            </Button>
          )}
        </>
      )}
      <span className={css.space} />
      <Button size="sm" variant="quiet" onClick={onClear}>
        {t('inbox.clearSelection')}
        <span className={css.key}>
          <Kbd keys="Esc" />
        </span>
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('inbox.trashTitle', { count })}
        text={t('inbox.trashText')}
        confirmLabel={t('inbox.trashConfirm')}
        keepLabel={t('inbox.keep')}
        onClose={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false)
          onChange({ action: 'delete' })
        }}
      />
    </div>
  )
}

function Changes({
  selected,
  isBusy,
  onChange
}: { selected: readonly ListedTicket[]; isBusy: boolean } & Pick<BulkBarProps, 'onChange'>) {
  const colleagues = useColleagues()
  const { data: counts } = useApiQuery('/api/admin/tickets/counts')
  const { data: tagged } = useApiQuery('/api/admin/tags/list', { limit: 1000 })
  const tags = tagged?.tags ?? []
  const me = useMe()
  // An assignee without access to one of these departments would be refused.
  const places = new Set(selected.map(({ department }) => department.deptid))
  const handlers = colleagues.filter(
    ({ departments }) => !departments || [...places].every(place => departments.some(({ deptid }) => deptid === place))
  )
  return (
    <>
      <Choose
        label={t('inbox.status')}
        shortcut="S"
        icon={Check}
        isBusy={isBusy}
        items={statuses.map(status => ({
          id: status,
          label: statusLabel(status),
          icon: <StatusIcon status={status} aria-hidden />
        }))}
        onChoose={id => onChange({ action: 'status', status: statuses.find(status => status === id)! })}
      />
      <Choose
        label={t('inbox.assign')}
        shortcut="A"
        icon={User}
        isBusy={isBusy}
        emptyText={t('inbox.nobodyCalled')}
        items={[
          ...handlers.map(({ id, name, away_until }) => ({
            id: String(id),
            label: id === me.id ? t('inbox.me', { name }) : name,
            hint: awayText(away_until),
            icon: <Avatar person={{ id, name, kind: 'staff' as const }} size={18} />
          })),
          { id: 'none', label: t('inbox.nobody'), icon: <Avatar person={undefined} size={18} /> }
        ]}
        onChoose={id => {
          const person = handlers.find(colleague => String(colleague.id) === id)
          onChange({
            action: 'assign',
            assignee: person ? { id: person.id, first_name: person.name, last_name: '' } : null
          })
        }}
      />
      <Choose
        label={t('inbox.priority')}
        shortcut="P"
        icon={ArrowDownUp}
        isBusy={isBusy}
        items={priorities.map(priority => ({
          id: priority,
          label: priorityLabel(priority),
          icon: <PriorityIcon priority={priority} aria-hidden />
        }))}
        onChoose={id => onChange({ action: 'priority', priority: priorities.find(priority => priority === id)! })}
      />
      <Choose
        label={t('inbox.department')}
        shortcut="D"
        icon={FolderInput}
        isBusy={isBusy}
        items={(counts?.per_department ?? []).map(({ deptid, name }) => ({ id: String(deptid), label: name }))}
        onChoose={id => {
          const { deptid, name } = counts!.per_department.find(({ deptid }) => String(deptid) === id)!
          onChange({ action: 'department', department: { deptid, name } })
        }}
      />
      {tags.length > 0 && (
        <Choose
          label={t('inbox.tag')}
          shortcut="T"
          icon={TagIcon}
          isBusy={isBusy}
          emptyText={t('inbox.noSuchTag')}
          items={tags.map(({ id, name }) => ({ id: String(id), label: name }))}
          onChoose={chosen => {
            const { id, name, color } = tags.find(({ id }) => String(id) === chosen)!
            onChange({ action: 'tag', tag: { id, name, color } })
          }}
        />
      )}
      <Suspense>
        <BulkLink selected={selected} isBusy={isBusy} onChange={onChange} />
      </Suspense>
    </>
  )
}

/** Snoozes the selected tickets; if all of them are snoozed, it wakes them. */
function Snooze({
  selected,
  isBusy,
  onChange
}: { selected: readonly ListedTicket[]; isBusy: boolean } & Pick<BulkBarProps, 'onChange'>) {
  if (selected.length > 0 && selected.every(({ snooze }) => snooze !== null)) {
    return (
      <Button
        size="sm"
        variant="quiet"
        icon={AlarmClock}
        disabled={isBusy}
        data-bulk="h"
        onClick={() => onChange({ action: 'unsnooze' })}
      >
        <span className={css.label}>{t('inbox.wake')}</span>
      </Button>
    )
  }
  return (
    <SnoozeMenu
      label={t('inbox.snooze')}
      client={undefined}
      ticket={undefined}
      former={null}
      onChoose={snooze => onChange({ action: 'snooze', snooze })}
      trigger={trigger => (
        <button {...trigger} type="button" className="btn quiet sm" disabled={isBusy} data-bulk="h">
          <Moon size={16} aria-hidden />
          <span className={css.label}>{t('inbox.snooze')}</span>
        </button>
      )}
    />
  )
}

interface ChooseProps {
  label: string
  shortcut: string
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  isBusy: boolean
  items: { id: string; label: string; hint?: ReactNode; icon?: ReactNode }[]
  emptyText?: string
  onChoose(id: string): void
}

function Choose({ label, shortcut, icon: Icon, isBusy, items, emptyText, onChoose }: ChooseProps) {
  return (
    <Picker
      label={label}
      items={items}
      selected=""
      emptyText={emptyText ?? t('inbox.nothingFound')}
      shortcut={shortcut}
      onChange={onChoose}
      trigger={trigger => (
        <button
          {...trigger}
          type="button"
          className="btn quiet sm"
          disabled={isBusy}
          data-bulk={shortcut.toLowerCase()}
        >
          <Icon size={16} aria-hidden />
          <span className={css.label}>{label}</span>
        </button>
      )}
    />
  )
}
