import { ArrowDownUp, ChevronUp, ListFilter, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { type Key, t } from '../../lib/strings.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Checkbox } from '../../ui/form-controls.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { Filters, type FiltersProps } from './filters.tsx'
import css from './list-head.module.css'
import { sortOf } from './queue-search.ts'

interface ListHeadProps extends Omit<FiltersProps, 'isWhole' | 'usual'> {
  /** The heading and its buttons. */
  title: ReactNode
  total: number | undefined
  isWide: boolean
  arrived: number
  onShowArrived(): void
  /** Whether none, some or all rows are selected; undefined if rows cannot be selected. */
  chosen: 'none' | 'some' | 'all' | undefined
  onChooseAll(): void
  /** On phones, rows show checkboxes only in select mode. */
  selectMode: { isOn: boolean; toggle(): void } | undefined
  /** Undefined without the permission to open tickets. */
  onNew: (() => void) | undefined
  /** The button that saves the filters as a view. */
  saving: ReactNode
}

/** The head of the list: its name and count, new tickets, filters and order. */
export function ListHead(props: ListHeadProps) {
  const { title, total, isWide, arrived, chosen, query, search, onSearch, saving } = props
  const [isWhole, setIsWhole] = useState(search.q !== undefined)
  const filters = (
    <Filters
      base={props.base}
      query={query}
      search={search}
      isFixed={props.isFixed}
      isWhole={isWhole}
      usual={isWide ? 'assignee' : 'priority'}
      onSearch={onSearch}
    />
  )
  return (
    <>
      <header className={isWide ? css.wideHead : css.head}>
        {isWide && chosen !== undefined && (
          <Checkbox
            label={t('inbox.selectAll')}
            hideLabel
            checked={chosen === 'all'}
            mixed={chosen === 'some'}
            onChange={props.onChooseAll}
          />
        )}
        {title}
        {total !== undefined && <span className={css.count}>{total.toLocaleString()}</span>}
        {arrived > 0 && (
          <Chip isNew icon={ChevronUp} onClick={props.onShowArrived}>
            {t('inbox.new', { count: arrived })}
          </Chip>
        )}
        {isWide && !isWhole && filters}
        {isWide && !isWhole && saving}
        <span className={css.space} />
        <span className={css.tools}>
          <IconButton
            icon={ListFilter}
            label={t('inbox.filter')}
            aria-expanded={isWhole}
            onClick={() => setIsWhole(is => !is)}
          />
          <SortMenu base={props.base} query={query} onSearch={onSearch} isWide={isWide} selectMode={props.selectMode} />
          {props.onNew &&
            (isWide ? (
              <Button size="sm" icon={Plus} onClick={props.onNew}>
                {t('inbox.newTicket')}
              </Button>
            ) : (
              <IconButton icon={Plus} label={t('inbox.newTicket')} shortcut="C" onClick={props.onNew} />
            ))}
        </span>
      </header>
      {(!isWide || isWhole) && (
        <div className={isWhole ? css.wholeBar : css.bar}>
          {isWhole && <SearchWithin text={search.q ?? ''} onSearch={onSearch} />}
          {filters}
          {saving}
        </div>
      )}
    </>
  )
}

/** The delay of the search after the last key, in milliseconds. */
const pause = 300

function SearchWithin({ text, onSearch }: { text: string } & Pick<FiltersProps, 'onSearch'>) {
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === text) return
    const timer = setTimeout(() => onSearch({ q: wanted || undefined }), pause)
    return () => clearTimeout(timer)
  }, [typed, text, onSearch])
  return (
    <input
      className={`input ${css.search}`}
      type="search"
      aria-label={t('inbox.searchWithin')}
      placeholder={t('inbox.searchWithin')}
      maxLength={255}
      value={typed}
      onChange={event => setTyped(event.target.value)}
    />
  )
}

const orders: readonly { sort: string; label: Key }[] = [
  { sort: 'updated', label: 'inbox.sortUpdated' },
  { sort: '-updated', label: 'inbox.sortUpdatedOldest' },
  { sort: 'created', label: 'inbox.sortCreated' },
  { sort: '-created', label: 'inbox.sortCreatedOldest' },
  { sort: 'priority', label: 'inbox.sortPriority' },
  { sort: '-priority', label: 'inbox.sortPriorityLowest' },
  { sort: 'sla_due', label: 'inbox.sortDue' }
]
/** Only among snoozed tickets. */
const byWaking = { sort: '-snoozed_until', label: 'inbox.sortSnoozed' } as const

function SortMenu({
  base,
  query,
  onSearch,
  isWide,
  selectMode
}: Pick<ListHeadProps, 'base' | 'query' | 'onSearch' | 'isWide' | 'selectMode'>) {
  const possible = query.snoozed === 1 ? [byWaking, ...orders] : orders
  const current = possible.find(({ sort }) => sort === sortOf(query)) ?? orders[0]!
  const items: MenuItem[] = possible.map(({ sort, label }) => ({
    label: t(label),
    checked: sort === current.sort,
    onSelect: () => onSearch({ sort: sort === sortOf(base) ? undefined : sort })
  }))
  if (selectMode) {
    const label = t(selectMode.isOn ? 'inbox.selectNothing' : 'inbox.selectTickets')
    items.push({ kind: 'separator' }, { label, checked: false, onSelect: selectMode.toggle })
  }
  const name = t('inbox.sortedBy', { order: t(current.label) })
  return (
    <Menu
      align="end"
      items={items}
      trigger={trigger =>
        isWide ? (
          <button {...trigger} type="button" className="btn quiet sm" aria-label={name}>
            <ArrowDownUp size={16} aria-hidden />
            <span className={css.order}>{t(current.label)}</span>
          </button>
        ) : (
          <button {...trigger} type="button" className="icon-btn" aria-label={name} data-tip={name}>
            <ArrowDownUp size={16} aria-hidden />
          </button>
        )
      }
    />
  )
}
