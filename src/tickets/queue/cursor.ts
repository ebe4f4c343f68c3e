import { InvalidFields } from '../../kit/errors.ts'
import { maxId } from '../../kit/schemas.ts'
import { isInstant } from '../../lib/time.ts'

export const sorts = ['updated', 'created', 'priority', 'snoozed_until', 'sla_due'] as const
export const directions = ['desc', 'asc'] as const

/** By what a list is ordered, ties by id. */
export interface Order {
  sort: (typeof sorts)[number]
  direction: (typeof directions)[number]
}

/** The last row of a page: its sort key as text, and its id. */
export interface CursorPosition {
  key: string
  id: number
}

/** A cursor for the page after this row. It is opaque to callers. */
export function cursorOf({ sort, direction }: Order, { key, id }: CursorPosition): string {
  return Buffer.from(JSON.stringify([sort, direction, key, id])).toString('base64url')
}

/** Parses a cursor made for a list in this order; refuses any other. */
export function parseCursor(cursor: string, order: Order): CursorPosition {
  const [sort, direction, key, id] = partsOf(cursor)
  const isUndue = order.sort === 'sla_due' && (key === 'infinity' || key === '-infinity')
  const isKey = order.sort === 'priority' ? /^[1-4]$/ : /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/
  const isPlace =
    typeof key === 'string' &&
    (isUndue || (isKey.test(key) && (order.sort === 'priority' || isInstant(key)))) &&
    Number.isInteger(id) &&
    Number(id) > 0 &&
    Number(id) <= maxId
  if (!isPlace || sort !== order.sort || direction !== order.direction) {
    throw InvalidFields({
      message: 'cursor does not belong to a list in this order: take it from the page before',
      errors: ['cursor']
    })
  }
  return { key: key as string, id: id as number }
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}
