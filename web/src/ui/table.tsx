import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../lib/strings.ts'
import { Menu, type MenuItem } from './menu.tsx'
import './table.css'

export interface Column<Row> {
  key: string
  label: ReactNode
  /** Numbers stand at the end of their cell. */
  number?: boolean
  cell: (row: Row) => ReactNode
}

interface TableProps<Row> {
  /** The accessible name of the table. */
  label: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string | number
  /** Nothing behind ⋯ where it answers an empty list. */
  rowMenu?: (row: Row) => MenuItem[]
  /** The accessible name of the ⋯ button: "Actions for Billing". */
  rowMenuLabel?: (row: Row) => string
  density?: 'dense' | 'tall'
  /** Grey: it is out of use, and a cell says so. */
  isOff?: (row: Row) => boolean
}

/** Rows in a card. On a phone each is a card of its own, in which every cell says what it is. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, rowMenu, rowMenuLabel, density, isOff } = props
  return (
    <div className="card">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways on a phone must do so by key as well. */}
      <section className="tbl-scroll" aria-label={label} tabIndex={0}>
        <table className={['tbl rows', density].filter(Boolean).join(' ')}>
          <caption className="visually-hidden">{label}</caption>
          <thead>
            <tr>
              {columns.map(column => (
                <th key={column.key} scope="col" className={column.number ? 'r' : undefined}>
                  {column.label}
                </th>
              ))}
              {rowMenu && (
                <th scope="col">
                  <span className="visually-hidden">{t('ui.actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={rowKey(row)} className={isOff?.(row) ? 'off' : undefined}>
                {columns.map(column => (
                  <td key={column.key} className={column.number ? 'r' : undefined} data-label={wordsOf(column)}>
                    {column.cell(row)}
                  </td>
                ))}
                {rowMenu && (
                  <td className="menu-cell">
                    <RowMenu items={rowMenu(row)} label={rowMenuLabel?.(row) ?? t('ui.actions')} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

/** The label of a cell on a phone. */
function wordsOf({ label }: { label: ReactNode }): string | undefined {
  return typeof label === 'string' ? label : undefined
}

/** ⋯ at the end of a row, or in a head. */
export function RowMenu({ items, label }: { items: MenuItem[]; label: string }) {
  if (items.length === 0) return null
  return (
    <Menu
      align="end"
      items={items}
      trigger={trigger => (
        <button {...trigger} type="button" className="icon-btn" aria-label={label} data-tip={label}>
          <Ellipsis size={16} aria-hidden />
        </button>
      )}
    />
  )
}
