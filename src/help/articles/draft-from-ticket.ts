import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { TicketRef } from '../../tickets/ticket/schemas.ts'
import { permittedTicketQuery } from '../../tickets/ticket/ticket-for.ts'

const maxMessages = 50
const maxCharacters = 60_000
const maxFound = 100

/** What in a draft may tell who the client is: it has to be taken out by hand. */
export interface PersonalWord {
  text: string
  kind: 'name' | 'address' | 'number'
}

export interface TicketDraft {
  title: string
  markdown: string
  personal: PersonalWord[]
}

/**
 * A first draft of an article from what the client and staff have written to each other: never from notes. Nothing is taken out of it: it says which
 * names, addresses and numbers are in it, and a person decides. Throws `TicketNotFound`.
 */
export async function draftFromTicket(db: Db, actor: StaffActor, ref: TicketRef): Promise<TicketDraft> {
  const ticket = await ticketToRead(db, actor, ref, {})
  const messages = await messagesOf(db, { ticket: ticket.id })
  const asked = messages.filter(({ sender_type }) => sender_type === 'client').map(({ message }) => message.trim())
  const answered = messages.filter(({ sender_type }) => sender_type !== 'client').map(({ message }) => message.trim())
  const parts = [...asked.slice(0, 1), ...(answered.length > 0 ? ['## Answer', ...answered] : [])]
  const markdown = parts.join('\n\n').slice(0, maxCharacters).toWellFormed()
  const people = [
    ...new Set([
      ...[ticket.first_name, ticket.last_name, ticket.organisation ?? ''],
      ...messages.flatMap(({ sender_first_name, sender_last_name }) => [sender_first_name, sender_last_name])
    ])
  ]
  return { title: ticket.subject, markdown, personal: personalWords(`${ticket.subject}\n${markdown}`, people) }
}

/** The names of these people, and whatever looks like an address or a number by which somebody is known. */
export function personalWords(text: string, people: readonly string[]): PersonalWord[] {
  const names = people
    .map(name => name.trim())
    .filter(name => name.length > 1)
    .flatMap(name => text.match(new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, 'giu')) ?? [])
  const addresses = [
    ...(text.match(/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,255}/gu) ?? []),
    ...(text.match(/\bhttps?:\/\/[^\s<>)\]]{1,300}/g) ?? []),
    // "Hauptstraße 12", "12 Main Street", "04109 Leipzig".
    ...(text.match(/(?<!\p{L})\p{Lu}[\p{L}-]{0,40}(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse) \d{1,4}[a-z]?/gu) ??
      []),
    ...(text.match(
      /(?<!\d)\d{1,5} (?:\p{Lu}\p{L}{1,30} ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Way)(?!\p{L})/gu
    ) ?? []),
    ...(text.match(/(?<!\d)\d{5} \p{Lu}\p{L}{2,40}/gu) ?? [])
  ]
  // Telephones, serial and customer numbers, accounts. Every pattern looks only so far: clients have written the text.
  const numbers = [
    ...(text.match(/(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![\p{L}\p{N}])/gu) ?? []),
    ...(text.match(/(?<![\p{L}\p{N}])\+?\d[\d ()/.-]{4,30}\d(?![\p{L}\p{N}])/gu) ?? []),
    ...(text.match(
      /(?<![\p{L}\p{N}])(?=[\p{L}\d-]{0,60}\d{3})[\p{Lu}\d]{1,10}(?:-[\p{Lu}\d]{1,12}){1,4}(?![\p{L}\p{N}])/gu
    ) ?? [])
  ]
  const found = new Map<string, PersonalWord>()
  for (const [kind, texts] of [
    ['name', names],
    ['address', addresses],
    ['number', numbers]
  ] as const) {
    for (const each of texts) if (!found.has(each) && found.size < maxFound) found.set(each, { text: each, kind })
  }
  return [...found.values()]
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

const ticketToRead = permittedTicketQuery({ permission: 'tickets.reply' }, tickets =>
  tickets
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .leftJoin('organisations', 'organisations.id', 'clients.organisation_id')
    .select(['tickets.id', 'tickets.subject', 'clients.first_name', 'clients.last_name'])
    .select('organisations.name as organisation')
)

const messagesOf = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('ticket_messages')
    .where('ticket_id', '=', p.ticket)
    .select(['sender_type', 'sender_first_name', 'sender_last_name'])
    .select(sql<string>`left(message, 20000)`.as('message'))
    .orderBy('id')
    .limit(maxMessages)
)
