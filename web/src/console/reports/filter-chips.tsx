import type { BodyOf } from '@deskline/client'
import { useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { t } from '../../lib/strings.ts'
import { Chip } from '../../ui/chip.tsx'
import { Picker } from '../../ui/picker.tsx'
import { keyLabel } from './key-label.ts'
import { questionOf } from './report-question.ts'
import { type ChooseReport, type GroupName, groups, type ReportSearch } from './report-search.ts'

interface FilterChipsProps {
  search: ReportSearch
  onChoose: ChooseReport
}

/** One chip for each thing by which a report can be filtered. What can be chosen is what had a ticket in this time. */
export function FilterChips({ search, onChoose }: FilterChipsProps) {
  return groups.map(group => <FilterChip key={group} group={group} search={search} onChoose={onChoose} />)
}

function FilterChip({ group, search, onChoose }: FilterChipsProps & { group: GroupName }) {
  const [isOpened, setOpened] = useState(false)
  const chosen = search[group]
  const { [group]: _, ...others } = search
  const body = { ...questionOf({ ...others, group }), by: 'month' } satisfies BodyOf<'/api/admin/reports/volume'>
  const { data } = useApiQuery('/api/admin/reports/volume', body, { enabled: isOpened || chosen !== undefined })
  const known = data && 'groups' in data ? data.groups.filter(({ key }) => key !== null) : []
  const items = known.map(({ key, label, opened }) => ({
    ...{ id: key!, label: keyLabel(group, key, label) },
    hint: opened
  }))
  const shown = items.find(({ id }) => String(id) === String(chosen))?.label ?? chosen
  return (
    <Picker<string | number>
      label={t(`reports.group.${group}`)}
      items={items}
      selected={chosen}
      emptyText={t('reports.noTickets')}
      onOpen={() => setOpened(true)}
      onChange={key => onChoose({ [group]: key })}
      trigger={props => (
        <Chip
          on={chosen !== undefined}
          onClear={chosen !== undefined && !props['aria-expanded'] ? () => onChoose({ [group]: undefined }) : undefined}
          triggerProps={props}
        >
          {shown ?? t(`reports.group.${group}`)}
        </Chip>
      )}
    />
  )
}
