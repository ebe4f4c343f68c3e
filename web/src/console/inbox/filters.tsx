import { ListFilter } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useMe } from '../../app/me.ts'
import { type Key, t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { Picker } from '../../ui/picker.tsx'
import type { TriggerProps } from '../../ui/popover.ts'
import { PriorityIcon, priorityLabel, StatusIcon, statusLabel } from '../../ui/status-icon.tsx'
import css from './filters.module.css'
import { openStatuses, priorities, type QueueQuery, type QueueSearch, slug, statuses, waits } from './queue-search.ts'
import { useColleagues } from './use-colleagues.ts'

export interface FiltersProps {
  /** What the view asks for by itself, and what is asked for with the address. */
  base: QueueQuery
  query: QueueQuery
  search: QueueSearch
  /** All filters that there are, not only those that are set or usual. */
  isWhole: boolean
  /** The one that can be set at once, beside status and department. */
  usual: 'priority' | 'assignee'
  /** What the view is about cannot be filtered away from it; what somebody saved can. */
  isFixed: boolean
  onSearch(change: Partial<QueueSearch>): void
}

/** The filters of a list as chips: those that are set, and those that can be. */
export function Filters(props: FiltersProps) {
  const { query, search, isWhole, usual, onSearch } = props
  const isSet = {
    priority: query.priority !== undefined,
    assignee: query.assigned_staff_id !== undefined || query.unassigned !== undefined,
    tag: query.tag !== undefined || query.tag_id !== undefined,
    waiting: query.waiting !== undefined || query.waiting_since !== undefined
  }
  return (
    <>
      <StatusFilter {...props} />
      <DepartmentFilter {...props} />
      {(isWhole || usual === 'priority' || isSet.priority) && <PriorityFilter {...props} />}
      {(isWhole || usual === 'assignee' || isSet.assignee) && <AssigneeFilter {...props} />}
      {(isWhole || isSet.tag) && <TagFilter {...props} />}
      {(isWhole || isSet.waiting) && <WaitingFilter {...props} />}
      {(isWhole || query.watched === 1) && <Flag name="watched" label="inbox.watched" {...props} />}
      {(isWhole || query.merged === 1) && <Flag name="merged" label="inbox.merged" {...props} />}
      {search.q && (
        <Chip on onClear={() => onSearch({ q: undefined })}>
          {t('inbox.searchedFor', { text: search.q })}
        </Chip>
      )}
    </>
  )
}

function StatusFilter({ base, query, isFixed, onSearch }: FiltersProps) {
  if (isFixed && base.status?.length === 1) return null
  const chosen = query.status ?? []
  const label = isNotClosed(chosen) ? t('inbox.notClosed') : wordsOf(chosen.map(statusLabel), 'inbox.statuses')
  const choose = (status: readonly string[]) => onSearch({ status: paramOf(status.map(slug), base.status?.map(slug)) })
  return (
    <PickerChip
      label={t('inbox.status')}
      chosen={label}
      icon={ListFilter}
      selected={chosen}
      items={statuses.map(status => ({
        id: status,
        label: statusLabel(status),
        icon: <StatusIcon status={status} aria-hidden />
      }))}
      onChoose={choose}
      onClear={() => choose([])}
    />
  )
}

function PriorityFilter({ base, query, onSearch }: FiltersProps) {
  const chosen = query.priority ?? []
  const choose = (priority: readonly string[]) =>
    onSearch({ priority: paramOf(priority.map(slug), base.priority?.map(slug)) })
  return (
    <PickerChip
      label={t('inbox.priority')}
      chosen={wordsOf(chosen.map(priorityLabel), 'inbox.priorities')}
      selected={chosen}
      items={priorities.map(priority => ({
        id: priority,
        label: priorityLabel(priority),
        icon: <PriorityIcon priority={priority} aria-hidden />
      }))}
      onChoose={choose}
      onClear={() => choose([])}
    />
  )
}

function DepartmentFilter({ base, query, isFixed, onSearch }: FiltersProps) {
  const { data: counts } = useApiQuery('/api/admin/tickets/counts')
  const departments = counts?.per_department ?? []
  const isOfView = base.department_id !== undefined
  if ((isOfView && isFixed) || departments.length < 2) return null
  const chosen = departments.find(({ deptid }) => deptid === query.department_id)
  return (
    <PickerChip
      label={t('inbox.department')}
      chosen={query.department_id === undefined ? undefined : (chosen?.name ?? String(query.department_id))}
      selected={String(query.department_id ?? '')}
      items={departments.map(({ deptid, name }) => ({ id: String(deptid), label: name }))}
      onChoose={([id]) => onSearch({ dept: Number(id) })}
      onClear={() => onSearch({ dept: isOfView ? 'any' : undefined })}
    />
  )
}

function AssigneeFilter({ base, query, isFixed, onSearch }: FiltersProps) {
  const me = useMe()
  const colleagues = useColleagues()
  const { assigned_staff_id: id, unassigned } = query
  const isOfView = base.assigned_staff_id !== undefined || base.unassigned !== undefined
  if (isOfView && isFixed) return null
  const chosen = unassigned ? t('inbox.nobody') : colleagues.find(person => person.id === id)?.name
  return (
    <PickerChip
      label={t('inbox.assignee')}
      chosen={id === undefined && unassigned === undefined ? undefined : (chosen ?? t('inbox.assignee'))}
      selected={unassigned ? 'none' : id === me.id ? 'me' : String(id ?? '')}
      items={[
        ...colleagues.map(({ id, name }) => ({
          id: id === me.id ? 'me' : String(id),
          label: id === me.id ? t('inbox.me', { name }) : name,
          icon: <Avatar person={{ id, name, kind: 'staff' as const }} size={18} />
        })),
        { id: 'none', label: t('inbox.nobody'), icon: <Avatar person={undefined} size={18} /> }
      ]}
      emptyText={t('inbox.nobodyCalled')}
      onChoose={([id]) => onSearch({ assignee: id === 'me' || id === 'none' ? id : Number(id) })}
      onClear={() => onSearch({ assignee: isOfView ? 'any' : undefined })}
    />
  )
}

function TagFilter({ base, query, onSearch }: FiltersProps) {
  const { data } = useApiQuery('/api/admin/tags/list', { limit: 1000 })
  const tags = data?.tags ?? []
  const ofView = tags.find(({ id }) => id === query.tag_id)?.name
  const chosen = query.tag ?? ofView
  return (
    <PickerChip
      label={t('inbox.tag')}
      chosen={query.tag === undefined && query.tag_id === undefined ? undefined : (chosen ?? t('inbox.tag'))}
      selected={chosen ?? ''}
      items={tags.map(({ name, ticket_count }) => ({ id: name, label: name, hint: ticket_count.toLocaleString() }))}
      emptyText={t('inbox.noSuchTag')}
      onChoose={([tag]) => onSearch({ tag })}
      onClear={() => onSearch({ tag: base.tag !== undefined || base.tag_id !== undefined ? 'any' : undefined })}
    />
  )
}

const waitLabels: Record<(typeof waits)[number], Key> = {
  '1': 'inbox.waitsAtAll',
  '4h': 'inbox.waits4Hours',
  '1d': 'inbox.waits1Day',
  '3d': 'inbox.waits3Days',
  '7d': 'inbox.waits7Days'
}

function WaitingFilter({ base, query, search, onSearch }: FiltersProps) {
  const known = waits.find(wait => wait === (search.waiting ?? (query.waiting === 1 ? '1' : undefined)))
  const since = query.waiting_since && t('inbox.waitsSince', { time: query.waiting_since.slice(0, 16) })
  const isOfView = base.waiting !== undefined || base.waiting_since !== undefined
  const isSet = query.waiting === 1 || query.waiting_since !== undefined
  const menu: MenuItem[] = waits.map(wait => ({
    label: t(waitLabels[wait]),
    onSelect: () => onSearch({ waiting: wait })
  }))
  return (
    <Chip
      on={isSet}
      onClear={isSet ? () => onSearch({ waiting: isOfView ? 'any' : undefined }) : undefined}
      menu={menu}
    >
      {isSet ? (known ? t(waitLabels[known]) : since) : t('inbox.waiting')}
    </Chip>
  )
}

function Flag({ name, label, base, query, onSearch }: FiltersProps & { name: 'watched' | 'merged'; label: Key }) {
  const isSet = query[name] === 1
  const clear = () => onSearch({ [name]: base[name] === 1 ? 'any' : undefined })
  return (
    <Chip
      on={isSet}
      onClear={isSet ? clear : undefined}
      onClick={() => onSearch({ [name]: base[name] === 1 ? undefined : 1 })}
    >
      {t(label)}
    </Chip>
  )
}

interface PickerChipProps {
  label: string
  /** What is chosen, in words; undefined while nothing is. */
  chosen: string | undefined
  icon?: typeof ListFilter
  /** Several, or one. */
  selected: readonly string[] | string
  items: { id: string; label: string; hint?: string; icon?: ReactNode }[]
  emptyText?: string
  onChoose(ids: string[]): void
  onClear(): void
}

/** A chip that opens what can be chosen; where something is, it takes the filter away. */
function PickerChip({ label, chosen, icon, selected, items, emptyText, onChoose, onClear }: PickerChipProps) {
  const trigger = (props: TriggerProps) => (
    <Chip
      on={chosen !== undefined}
      // While it is open more can be chosen.
      onClear={chosen !== undefined && !props['aria-expanded'] ? onClear : undefined}
      triggerProps={props}
      {...(icon && chosen !== undefined && { icon })}
    >
      <span className={css.words}>{chosen ?? label}</span>
    </Chip>
  )
  const shared = { label, items, trigger, emptyText: emptyText ?? t('inbox.nothingFound') }
  if (typeof selected !== 'string') return <Picker {...shared} multiple selected={[...selected]} onChange={onChoose} />
  return <Picker {...shared} selected={selected} onChange={id => onChoose([id])} />
}

/** What an address says for these values: nothing where the view has the same, `any` where it has some and none are wanted. */
function paramOf(values: readonly string[], ofView: readonly string[] | undefined): string | undefined {
  if (values.length === 0) return ofView?.length ? 'any' : undefined
  const isSame = ofView?.length === values.length && values.every(value => ofView.includes(value))
  return isSame ? undefined : values.join(',')
}

function isNotClosed(chosen: readonly string[]): boolean {
  return chosen.length === openStatuses.length && !chosen.includes('Closed')
}

function wordsOf(labels: readonly string[], several: Key): string | undefined {
  if (labels.length < 2) return labels[0]
  return t(several, { count: labels.length })
}
