import { ListFilter } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { useMe } from '../../app/me.ts'
import { type Key, t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import { PriorityIcon, priorityLabel, StatusIcon, statusLabel } from '../../ui/status-icon.tsx'
import { namesFields } from './field-filter.ts'
import { type ChipProps, PickerChip } from './picker-chip.tsx'
import {
  type FilterName,
  hasFilter,
  openStatuses,
  parameterFor,
  priorities,
  type QueueQuery,
  type QueueSearch,
  shownFilters,
  slug,
  statuses
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

/** The chips of most lists, in the order in which they are shown. Those of the other filters follow: their code is loaded when it is needed. */
const chips: { name: FilterName; FilterChip: (props: ChipProps) => ReactNode }[] = [
  { name: 'status', FilterChip: StatusChip },
  { name: 'dept', FilterChip: DepartmentChip },
  { name: 'priority', FilterChip: PriorityChip },
  { name: 'assignee', FilterChip: AssigneeChip }
]
const others = shownFilters.filter(name => !chips.some(chip => chip.name === name))
const alwaysShown: readonly FilterName[] = ['status', 'dept']
/** The filters that cannot be changed where a fixed view has them. */
const fixedByView: readonly FilterName[] = ['dept', 'assignee']

const MoreChips = lazyPart(async () => ({ default: (await import('./more-chips.tsx')).MoreChips }))

/** The filters of a list as chips: those that are set, and those that can be. */
export function Filters({ base, query, search, isWhole, usual, isFixed, onSearch }: FiltersProps) {
  const isHidden = (name: FilterName) =>
    isFixed && (name === 'status' ? base.status?.length === 1 : fixedByView.includes(name) && hasFilter(base, name))
  const isShown = (name: FilterName) =>
    (isWhole || name === usual || alwaysShown.includes(name) || hasFilter(query, name)) && !isHidden(name)
  const propsOf = (name: FilterName): ChipProps => ({
    name,
    query,
    search,
    isSet: hasFilter(query, name),
    onSet: value => onSearch({ [name]: parameterFor(base, name, value) } as Partial<QueueSearch>),
    onClear: () => onSearch({ [name]: hasFilter(base, name) ? 'any' : undefined })
  })
  const more = others.filter(isShown)
  return (
    <>
      {chips.map(({ name, FilterChip }) => isShown(name) && <FilterChip key={name} {...propsOf(name)} />)}
      {(more.length > 0 || namesFields(query)) && (
        <Suspense>
          <MoreChips filters={more.map(propsOf)} base={base} query={query} isWhole={isWhole} onSearch={onSearch} />
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

function sumOf(labels: readonly string[], several: Key): string | undefined {
  if (labels.length < 2) return labels[0]
  return t(several, { count: labels.length })
}
