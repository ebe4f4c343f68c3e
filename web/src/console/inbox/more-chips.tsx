import type { ReactNode } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { type Key, t } from '../../lib/strings.ts'
import { Chip } from '../../ui/chip.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { FieldChips, type FieldChipsProps } from './field-chips.tsx'
import { namesFields } from './field-filter.ts'
import { type ChipProps, PickerChip } from './picker-chip.tsx'
import { type FilterName, filterNamed, slug } from './queue-search.ts'

const ownChips: Partial<Record<FilterName, (props: ChipProps) => ReactNode>> = {
  tag: TagChip,
  waiting: WaitingChip,
  rating: RatingChip
}

/** The chips that few lists need: of these filters, and of custom fields. */
export function MoreChips({ filters, ...fields }: FieldChipsProps & { filters: ChipProps[] }) {
  return (
    <>
      {filters.map(props => {
        const FilterChip = ownChips[props.name] ?? (filterNamed(props.name).list ? ListChip : FlagChip)
        return <FilterChip key={props.name} {...props} />
      })}
      {(fields.isWhole || namesFields(fields.query)) && <FieldChips {...fields} />}
    </>
  )
}

function FlagChip({ name, isSet, onSet, onClear }: ChipProps) {
  return (
    <Chip on={isSet} onClear={isSet ? onClear : undefined} onClick={() => onSet(1)}>
      {t(filterNamed(name).flag!)}
    </Chip>
  )
}

function ListChip({ name, query, isOne = false, ...props }: ChipProps & { isOne?: boolean }) {
  const { fields, list } = filterNamed(name)
  const { label, texts } = list!
  const chosen = [query[fields[0]!] ?? []].flat().map(String)
  return (
    <PickerChip
      {...props}
      label={t(label)}
      shown={chosen.map(value => t(texts[value]!)).join(', ') || undefined}
      chosen={isOne ? (chosen[0] ?? '') : chosen.map(slug)}
      items={Object.entries(texts).map(([value, text]) => ({ id: slug(value), label: t(text) }))}
    />
  )
}

/** Only closed tickets are rated. */
function RatingChip(props: ChipProps) {
  const isRated = props.isSet || props.query.status?.includes('Closed')
  return isRated ? <ListChip {...props} isOne /> : null
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

const waits = {
  '1': 'inbox.waitsAtAll',
  '4h': 'inbox.waits4Hours',
  '1d': 'inbox.waits1Day',
  '3d': 'inbox.waits3Days',
  '7d': 'inbox.waits7Days'
} as const satisfies Record<string, Key>
const waitNames = Object.keys(waits) as (keyof typeof waits)[]

function WaitingChip({ query, search, isSet, onSet, onClear }: ChipProps) {
  const known = waitNames.find(wait => wait === (search.waiting ?? (query.waiting === 1 ? '1' : undefined)))
  const since = query.waiting_since && t('inbox.waitsSince', { time: query.waiting_since.slice(0, 16) })
  const menu: MenuItem[] = waitNames.map(wait => ({ label: t(waits[wait]), onSelect: () => onSet(wait) }))
  return (
    <Chip on={isSet} onClear={isSet ? onClear : undefined} menu={menu}>
      {isSet ? (known ? t(waits[known]) : since) : t('inbox.waiting')}
    </Chip>
  )
}
