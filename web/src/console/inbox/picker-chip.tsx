import type { ListFilter } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../lib/strings.ts'
import { Chip } from '../../ui/chip.tsx'
import { Picker } from '../../ui/picker.tsx'
import type { TriggerProps } from '../../ui/popover.ts'
import css from './filters.module.css'
import type { FilterName, QueueQuery, QueueSearch } from './queue-search.ts'

/** What a chip needs to know of its filter. */
export interface ChipProps {
  name: FilterName
  query: QueueQuery
  search: QueueSearch
  isSet: boolean
  onSet(value: string | number): void
  onClear(): void
}

interface PickerChipProps {
  isSet: boolean
  onSet(value: string): void
  onClear(): void
  label: string
  /** The text of the chosen values. */
  shown: string | undefined
  icon?: typeof ListFilter
  /** The ids of the items that are chosen if there may be several, or else the one. */
  chosen: readonly string[] | string
  items: { id: string; label: string; hint?: string; icon?: ReactNode }[]
  emptyText?: string
  /** What is typed is a value itself, as far as this understands it. */
  typed?: (text: string) => { value: string; label: string } | undefined
}

/** A chip that opens a list to choose from. While it is set, its cross removes the filter. */
export function PickerChip(props: PickerChipProps) {
  const { label, shown, icon, chosen, items, emptyText, typed, isSet, onSet, onClear } = props
  const trigger = (props: TriggerProps) => (
    <Chip
      on={isSet}
      // While the list is open, more can be chosen.
      onClear={isSet && !props['aria-expanded'] ? onClear : undefined}
      triggerProps={props}
      {...(icon && isSet && { icon })}
    >
      <span className={css.words}>{shown ?? label}</span>
    </Chip>
  )
  const create = typed && {
    label: (text: string) => typed(text)?.label ?? emptyText ?? t('inbox.nothingFound'),
    onCreate: (text: string) => {
      const value = typed(text)?.value
      if (value !== undefined) onSet(value)
    }
  }
  const shared = { label, items, trigger, create, emptyText: emptyText ?? t('inbox.nothingFound') }
  if (typeof chosen === 'string') return <Picker {...shared} selected={chosen} onChange={onSet} />
  const choose = (ids: string[]) => (ids.length > 0 ? onSet(ids.join(',')) : onClear())
  return <Picker {...shared} multiple selected={[...chosen]} onChange={choose} />
}
