import type { DataOf } from '@deskline/client'
import type { Key } from '../../../lib/strings.ts'

type Ticket = DataOf<'/api/admin/tickets/list'>['tickets'][number]

/** The placeholders by group, the same as in the API. */
export const placeholders = {
  client: [
    ['client.first_name', 'admin.firstName'],
    ['client.last_name', 'admin.lastName'],
    ['client.email', 'admin.email'],
    ['organisation.name', 'macros.organisation']
  ],
  ticket: [
    ['ticket.number', 'admin.number'],
    ['ticket.subject', 'admin.subject']
  ],
  department: [['department.name', 'admin.name']],
  calendar: [['calendar.next_opening', 'actions.nextOpening']],
  me: [
    ['staff.first_name', 'admin.firstName'],
    ['staff.last_name', 'admin.lastName']
  ]
} as const satisfies Record<string, readonly (readonly [string, Key])[]>

export const knownPlaceholders = Object.values(placeholders).flatMap(group => group.map(([name]) => name as string))

/** Two braces and their content, or unclosed braces, as the API parses them. */
const braces = /\{\{(?:([^{}\n]*)\}\}|[^{}\n]*)/g

/** The unknown placeholders of a text. */
export function unknownPlaceholdersIn(text: string): string[] {
  const found = [...text.matchAll(braces)].filter(([, inside]) => !isKnown(partsOf(inside).name)).map(([all]) => all)
  return [...new Set(found)]
}

/** Splits the text into parts, so that filled-in values can be marked. */
export function filledParts(
  text: string,
  facts: Partial<Record<string, string>>
): { text: string; isFilled: boolean }[] {
  const parts: { text: string; isFilled: boolean }[] = []
  let at = 0
  for (const match of text.matchAll(braces)) {
    const { name, fallback } = partsOf(match[1])
    if (!isKnown(name)) continue
    // What only the API knows stands as it is written.
    const filled = facts[name] || fallback || (name in facts ? '' : match[0])
    parts.push({ text: text.slice(at, match.index), isFilled: false }, { text: filled, isFilled: true })
    at = match.index + match[0].length
  }
  return [...parts, { text: text.slice(at), isFilled: false }]
}

export function placeholderValuesOf(
  { client, ticket_number, subject, department }: Ticket,
  me: { first_name: string; last_name: string }
) {
  return {
    'client.first_name': client.first_name,
    'client.last_name': client.last_name,
    'client.email': client.email,
    'ticket.number': ticket_number,
    'ticket.subject': subject,
    'department.name': department.name,
    'staff.first_name': me.first_name,
    'staff.last_name': me.last_name
  }
}

/** `client.first_name|there`: the name, and what takes the place of what is not set. */
function partsOf(inside: string | undefined): { name: string | undefined; fallback: string | undefined } {
  const [name, ...rest] = inside?.split('|') ?? []
  return { name: name?.trim(), fallback: rest.length > 0 ? rest.join('|').trim() : undefined }
}

function isKnown(name: string | undefined): name is string {
  return name !== undefined && (knownPlaceholders.includes(name) || /^field\.[a-z][a-z0-9_]{0,49}$/.test(name))
}
