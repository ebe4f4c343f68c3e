import { Clock } from 'lucide-react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Picker } from '../../../ui/picker.tsx'
import { auditActions, auditTargets } from '../event-kinds.ts'
import type { AuditFilter } from './audit-search.ts'

interface AuditFiltersProps {
  filter: AuditFilter
  onChange: (filter: AuditFilter) => void
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const staff = useApiQuery('/api/admin/staff/list', {})
  const people = (staff.data?.staff ?? []).map(member => ({ id: `staff-${member.id}`, label: nameOf(member) }))
  const who = [
    ...people,
    { id: 'staff', label: t('admin.anyStaff') },
    { id: 'client', label: t('admin.anyClient') },
    { id: 'system', label: t('admin.theService') }
  ]
  const spans = [1, 7, 30, 90].map(days => ({ id: days, label: t('admin.lastDays', { count: days }) }))
  const without = (...names: (keyof AuditFilter)[]) =>
    onChange(Object.fromEntries(Object.entries(filter).filter(([name]) => !names.includes(name as keyof AuditFilter))))

  return (
    <>
      <FilterChip
        label={t('admin.action')}
        shown={filter.action}
        items={auditActions.map(action => ({ id: action, label: action }))}
        onClear={() => without('action', 'row')}
        onChoose={action => onChange({ ...filter, action })}
      />
      <FilterChip
        label={t('admin.who')}
        shown={filter.by && (who.find(({ id }) => id === filter.by)?.label ?? filter.by)}
        items={who}
        onClear={() => without('by', 'row')}
        onChoose={by => onChange({ ...filter, by })}
      />
      <FilterChip
        label={t('admin.target')}
        shown={filter.target && `${filter.target}${filter.targetId ? ` ${filter.targetId}` : ''}`}
        items={auditTargets.map(target => ({ id: target, label: target }))}
        onClear={() => without('target', 'targetId', 'row')}
        onChoose={target => onChange({ ...filter, target })}
      />
      <FilterChip
        label={t('admin.anyTime')}
        shown={filter.days && t('admin.lastDays', { count: filter.days })}
        items={spans}
        isTime
        onClear={() => without('days', 'row')}
        onChoose={days => onChange({ ...filter, days })}
      />
      {filter.row !== undefined && (
        <Chip on onClear={() => without('row')}>
          {t('admin.upToRow', { row: filter.row })}
        </Chip>
      )}
    </>
  )
}

interface FilterChipProps<Id extends string | number> {
  label: string
  shown: string | number | undefined
  items: { id: Id; label: string }[]
  isTime?: boolean
  onClear: () => void
  onChoose: (id: Id) => void
}

function FilterChip<Id extends string | number>(props: FilterChipProps<Id>) {
  const { label, shown, items, isTime, onClear, onChoose } = props
  const icon = isTime ? { icon: Clock } : {}
  if (shown)
    return (
      <Chip on onClear={onClear} {...icon}>
        {shown}
      </Chip>
    )
  return (
    <Picker
      label={label}
      items={items}
      selected={undefined}
      onChange={onChoose}
      trigger={trigger => (
        <Chip triggerProps={trigger} {...icon}>
          {label}
        </Chip>
      )}
    />
  )
}
