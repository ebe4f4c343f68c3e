// The pages judge forms by this very file: it imports nothing.

/** An item of a form, as far as it decides what is asked. */
export interface AskedItem {
  field_id: number
  /** It is shown if an earlier field has one of these: ids of options, of a checkbox 0 or 1. */
  show_if: { field_id: number; in: readonly number[] } | null
}

/** The value of a field, as the API takes it; null or undefined: none. */
export type ValueIn = (fieldId: number) => unknown

/** F3: the items that are shown with these values, in their order. What a hidden field holds shows nothing. */
export function shownItems<Item extends AskedItem>(items: readonly Item[], valueIn: ValueIn): Item[] {
  const shown = new Set<number>()
  return items.filter(({ field_id, show_if }) => {
    const isShown = !show_if || (shown.has(show_if.field_id) && isAmong(valueIn(show_if.field_id), show_if.in))
    if (isShown) shown.add(field_id)
    return isShown
  })
}

/** F2: the shown items that are required and have no value. */
export function missingItems<Item extends AskedItem>(
  items: readonly Item[],
  valueIn: ValueIn,
  isRequired: (item: Item) => boolean
): Item[] {
  return shownItems(items, valueIn).filter(item => isRequired(item) && isUnset(valueIn(item.field_id)))
}

/** Of several options one is enough. */
function isAmong(value: unknown, wanted: readonly number[]): boolean {
  const chosen: unknown[] = Array.isArray(value) ? value : [value]
  return chosen.some(each => wanted.includes(typeof each === 'boolean' ? Number(each) : (each as number)))
}

function isUnset(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0
}
