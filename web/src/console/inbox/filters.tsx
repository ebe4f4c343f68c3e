import { ListFilter } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { useMe } from '../../app/me.ts'
import { type Key, t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { PriorityIcon, priorityLabel, StatusIcon, statusLabel } from '../../ui/status-icon.tsx'
import { namesFields } from './field-filter.ts'
import { PickerChip } from './picker-chip.tsx'
import {
  type FilterName,
  hasFilter,
  openStatuses,
  parameterFor,
  priorities,
  type QueueQuery,
  type QueueSearch,
  slug,
  statuses,
  waits
} from './queue-search.ts'
import { useColleagues } from './use-colleagues.ts'

export interface FiltersProps {
  /** The query of the view, and that query as the address changes it. */
  base: QueueQuery
  query: QueueQuery
  search: QueueSearch
  /** Whether all filters are shown, and not only the usual ones and those that are set. */
  isWhole: boolean
  /** The filter that is shown beside status and department even if it is not set. */
  usual: FilterName
  /** A built-in view or a department keeps its own filters; those of a saved view can be removed. */
  isFixed: boolean
  onSearch(change: Partial<QueueSearch>): void
}

/** What a chip needs to know of its filter. */
interface ChipProps {
  query: QueueQuery
  search: QueueSearch
  isSet: boolean
  onSet(value: string | number): void
  onClear(): void
}

/** The chip of each filter, in the order in which they are shown. */
const chips: { name: FilterName; FilterChip: (props: ChipProps) => ReactNode }[] = [
  { name: 'status', FilterChip: StatusChip },
  { name: 'dept', FilterChip: DepartmentChip },
  { name: 'priority', FilterChip: PriorityChip },
  { name: 'assignee', FilterChip: AssigneeChip },
  { name: 'tag', FilterChip: TagChip },
  { name: 'waiting', FilterChip: WaitingChip },
  { name: 'watched', FilterChip: props => <FlagChip label="inbox.watched" {...props} /> },
  { name: 'merged', FilterChip: props => <FlagChip label="inbox.merged" {...props} /> }
]
const alwaysShown: readonly FilterName[] = ['status', 'dept']
/** The filters that cannot be changed where a fixed view has them. */
const fixedByView: readonly FilterName[] = ['dept', 'assignee']

const FieldChips = lazyPart(async () => ({ default: (await import('./field-chips.tsx')).FieldChips }))

/** The filters of a list as chips: those that are set, and those that can be. */
export function Filters({ base, query, search, isWhole, usual, isFixed, onSearch }: FiltersProps) {
  const isHidden = (name: FilterName) =>
    isFixed && (name === 'status' ? base.status?.length === 1 : fixedByView.includes(name) && hasFilter(base, name))
  const isShown = (name: FilterName) =>
    (isWhole || name === usual || alwaysShown.includes(name) || hasFilter(query, name)) && !isHidden(name)
  return (
    <>
      {chips
        .filter(({ name }) => isShown(name))
        .map(({ name, FilterChip }) => (
          <FilterChip
            key={name}
            query={query}
            search={search}
            isSet={hasFilter(query, name)}
            onSet={value => onSearch({ [name]: parameterFor(base, name, value) } as Partial<QueueSearch>)}
            onClear={() => onSearch({ [name]: hasFilter(base, name) ? 'any' : undefined })}
          />
        ))}
      {(isWhole || namesFields(query) || query.rating) && (
        <Suspense>
          <FieldChips base={base} query={query} isWhole={isWhole} onSearch={onSearch} />
        </Suspense>
      )}
      {search.q && (
        <Chip on onClear={() => onSearch({ q: undefined })}>
          {t('inbox.searchedFor', { text: search.q })}
        </Chip>
      )}
    </>
  )
}

function StatusChip({ query, ...props }: ChipProps) {
  const chosen = query.status ?? []
  const isNotClosed = chosen.length === openStatuses.length && !chosen.includes('Closed')
  return (
    <PickerChip
      {...props}
      label={t('inbox.status')}
      shown={isNotClosed ? t('inbox.notClosed') : sumOf(chosen.map(statusLabel), 'inbox.statuses')}
      icon={ListFilter}
      chosen={chosen.map(slug)}
      items={statuses.map(status => ({
        id: slug(status),
        label: statusLabel(status),
        icon: <StatusIcon status={status} aria-hidden />
      }))}
    />
  )
}

function PriorityChip({ query, ...props }: ChipProps) {
  const chosen = query.priority ?? []
  return (
    <PickerChip
      {...props}
      label={t('inbox.priority')}
      shown={sumOf(chosen.map(priorityLabel), 'inbox.priorities')}
      chosen={chosen.map(slug)}
      items={priorities.map(priority => ({
        id: slug(priority),
        label: priorityLabel(priority),
        icon: <PriorityIcon priority={priority} aria-hidden />
      }))}
    />
  )
}

function DepartmentChip({ query, ...props }: ChipProps) {
  const { data: counts } = useApiQuery('/api/admin/tickets/counts')
  const departments = counts?.per_department ?? []
  if (departments.length < 2) return null
  const chosen = departments.find(({ deptid }) => deptid === query.department_id)
  return (
    <PickerChip
      {...props}
      label={t('inbox.department')}
      shown={chosen?.name ?? query.department_id?.toString()}
      chosen={String(query.department_id ?? '')}
      items={departments.map(({ deptid, name }) => ({ id: String(deptid), label: name }))}
    />
  )
}

function AssigneeChip({ query: { assigned_staff_id: id, unassigned }, ...props }: ChipProps) {
  const me = useMe()
  const colleagues = useColleagues()
  const items = [
    ...colleagues.map(({ id, name }) => ({
      id: id === me.id ? 'me' : String(id),
      label: id === me.id ? t('inbox.me', { name }) : name,
      icon: <Avatar person={{ id, name, kind: 'staff' as const }} size={18} />
    })),
    { id: 'none', label: t('inbox.nobody'), icon: <Avatar person={undefined} size={18} /> }
  ]
  return (
    <PickerChip
      {...props}
      label={t('inbox.assignee')}
      shown={unassigned ? t('inbox.nobody') : colleagues.find(person => person.id === id)?.name}
      chosen={unassigned ? 'none' : id === me.id ? 'me' : String(id ?? '')}
      items={items}
      emptyText={t('inbox.nobodyCalled')}
    />
  )
}

function TagChip({ query, ...props }: ChipProps) {
  const { data } = useApiQuery('/api/admin/tags/list', { limit: 1000 })
  const tags = data?.tags ?? []
  const chosen = query.tag ?? tags.find(({ id }) => id === query.tag_id)?.name
  return (
    <PickerChip
      {...props}
      label={t('inbox.tag')}
      shown={chosen}
      chosen={chosen ?? ''}
      items={tags.map(({ name, ticket_count }) => ({ id: name, label: name, hint: ticket_count.toLocaleString() }))}
      emptyText={t('inbox.noSuchTag')}
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

function WaitingChip({ query, search, isSet, onSet, onClear }: ChipProps) {
  const known = waits.find(wait => wait === (search.waiting ?? (query.waiting === 1 ? '1' : undefined)))
  const since = query.waiting_since && t('inbox.waitsSince', { time: query.waiting_since.slice(0, 16) })
  const menu: MenuItem[] = waits.map(wait => ({ label: t(waitLabels[wait]), onSelect: () => onSet(wait) }))
  return (
    <Chip on={isSet} onClear={isSet ? onClear : undefined} menu={menu}>
      {isSet ? (known ? t(waitLabels[known]) : since) : t('inbox.waiting')}
    </Chip>
  )
}

function FlagChip({ label, isSet, onSet, onClear }: ChipProps & { label: Key }) {
  return (
    <Chip on={isSet} onClear={isSet ? onClear : undefined} onClick={() => onSet(1)}>
      {t(label)}
    </Chip>
  )
}

function sumOf(labels: readonly string[], several: Key): string | undefined {
  if (labels.length < 2) return labels[0]
  return t(several, { count: labels.length })
}
