import { failure } from '../../kit/errors.ts'

/** The names that texts of macros, rules and canned replies may have in double braces: `{{ticket.number}}`, `{{client.first_name|you}}`. */
const placeholders = [
  'client.first_name',
  'client.last_name',
  'client.email',
  'organisation.name',
  'ticket.number',
  'ticket.subject',
  'department.name',
  'staff.first_name',
  'staff.last_name',
  'calendar.next_opening'
] as const

/** What they stand for, and custom fields by `field.KEY`; '' is not set. */
export type PlaceholderValues = Partial<Record<string, string>>

export const UnknownPlaceholder = failure(400, 'unknown_placeholder', 'The text contains an unknown placeholder')

/** Throws `UnknownPlaceholder`, which quotes them, if the text has double braces, closed or not, around anything but a known name. */
export function refuseUnknown(text: string, field = 'text'): void {
  const fault = placeholderFault(text)
  if (fault !== undefined) throw UnknownPlaceholder({ message: fault, errors: [field] })
}

/** The keys of the custom fields that these texts name: `{{field.serial_number|your device}}`. */
export function fieldKeysIn(texts: readonly string[]): string[] {
  const names = texts.flatMap(text => [...text.matchAll(braces)].flatMap(([, inside]) => partsOf(inside)?.name ?? []))
  return [...new Set(names.flatMap(name => fieldName.exec(name)?.[1] ?? []))]
}

/** Why the text cannot be filled; undefined if it can. Whether there are the fields that it names, `fieldKeysIn` lets find out. */
export function placeholderFault(text: string): string | undefined {
  const unknown = new Set([...text.matchAll(braces)].filter(([, inside]) => !partsOf(inside)).map(([all]) => all))
  if (unknown.size === 0) return undefined
  const named = [...unknown].slice(0, maxNamed).map(shortened)
  return `Unknown placeholders: ${named.join(', ')}. Known are ${placeholders.map(name => `{{${name}}}`).join(', ')}, {{field.KEY}}`
}

/**
 * Replaces the placeholders by their values, or by what stands behind a bar where there is none: `{{client.first_name|you}}`. `unset`: those that
 * have neither, and were left out. Double braces within a value are not replaced again.
 */
export function filled(text: string, values: PlaceholderValues): { text: string; unset: string[] } {
  const unset = new Set<string>()
  const replaced = text.replaceAll(braces, (all, inside?: string) => {
    const parts = partsOf(inside)
    if (!parts) return all
    const value = values[parts.name]?.trim() ? values[parts.name] : parts.fallback
    if (value === undefined) unset.add(parts.name)
    return value ?? ''
  })
  return { text: replaced, unset: [...unset] }
}

function shortened(text: string): string {
  const characters = [...text]
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text
}

const maxNamed = 5
const longest = 60

/** Double braces with their content, or opening ones that are not closed on their line. */
const braces = /\{\{(?:([^{}\n]*)\}\}|[^{}\n]*)/g

const fieldName = /^field\.([a-z][a-z0-9_]{0,49})$/

/** Undefined for what has no known name. */
function partsOf(inside: string | undefined) {
  const [name, ...rest] = (inside ?? '').split('|')
  const wanted = name!.trim()
  const known = fieldName.test(wanted) ? wanted : placeholders.find(each => each === wanted)
  if (known === undefined) return undefined
  return { name: known, fallback: rest.length > 0 ? rest.join('|').trim() : undefined }
}
