import { failure } from '../../kit/errors.ts'

/** The names that a canned reply may have in double braces. */
const placeholders = [
  'client.first_name',
  'client.last_name',
  'client.email',
  'ticket.number',
  'ticket.subject',
  'department.name',
  'staff.first_name',
  'staff.last_name'
] as const

type Facts = Record<(typeof placeholders)[number], string>

export const UnknownPlaceholder = failure(400, 'unknown_placeholder', 'The text contains an unknown placeholder')

/** Throws `UnknownPlaceholder`, which quotes them, if the text has double braces, closed or not, around anything but a known name. */
export function refuseUnknown(text: string): void {
  const unknown = new Set([...text.matchAll(braces)].filter(([, name]) => !isKnown(name)).map(([all]) => all))
  if (unknown.size === 0) return
  const named = [...unknown].slice(0, maxNamed).map(shortened)
  throw UnknownPlaceholder({
    message: `Unknown placeholders: ${named.join(', ')}. Known are ${placeholders.map(name => `{{${name}}}`).join(', ')}`,
    errors: ['text']
  })
}

/** Replaces the placeholders by the facts. Double braces within a fact are not replaced again. */
export function filled(text: string, facts: Facts): string {
  return text.replaceAll(braces, (all, name?: string) => (isKnown(name) ? facts[name.trim() as keyof Facts] : all))
}

function shortened(text: string): string {
  const characters = [...text]
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text
}

const maxNamed = 5
const longest = 60

/** Double braces with their content, or opening ones that are not closed on their line. */
const braces = /\{\{(?:([^{}\n]*)\}\}|[^{}\n]*)/g

function isKnown(name: string | undefined): name is string {
  return name !== undefined && known.has(name.trim())
}

const known: ReadonlySet<string> = new Set(placeholders)
