import type { Thread } from '../letters/content.ts'
import { postLetter } from '../letters/post-letter.ts'
import { clientTicketLetter, staffTicketLetter } from '../letters/ticket-words.ts'
import { secondsAfter } from '../lib/time.ts'
import { type Db, transaction } from '../platform/db/open.ts'
import { prepared } from '../platform/db/prepared.ts'
import type { Services } from '../services.ts'
import {
  type Happened,
  heldTicketOf,
  newsForClient,
  postpone,
  type TicketOfNews,
  takenEvents,
  ticketsWithNews
} from './news.ts'
import { newsForStaff } from './staff-news.ts'
import { stopUrl } from './stop-letters.ts'

const batchSize = 100
/** After so many the fault is nobody's own, and the others wait for the next look. */
const mostFaults = 100
/** To an address that nobody has proved, in the life of the account: whoever it belongs to may not want them. */
const maxUnprovenLetters = 20

/** What it takes to tell of what happened. */
export type Teller = Pick<Services, 'config' | 'db' | 'clock' | 'keys' | 'jobs'>

/**
 * Posts letters about what happened to tickets, once the first news of a ticket is LETTER_DELAY_SECONDS old: one for each
 * recipient with all that happened until now. Each event is told once, whoever else tells at the same time. A ticket of which no letter
 * can be made is put off alone. Throws `AggregateError` at the end when there were some.
 */
export async function tellNews(services: Teller): Promise<void> {
  const { db, clock, config } = services
  const now = clock.now()
  const due = secondsAfter(now, -config.LETTER_DELAY_SECONDS)
  const faults = new Map<number, unknown>()
  for (;;) {
    const found = await ticketsWithNews(db, { due, limit: batchSize })
    let settled = 0
    for (const ticket of found) {
      try {
        settled += await tellOf(services, ticket)
      } catch (error) {
        faults.set(ticket, error)
        await postpone(db, ticket, { due, now })
        settled++
      }
    }
    if (settled === 0 || faults.size >= mostFaults) break
  }
  if (faults.size > 0) {
    throw new AggregateError(faults.values(), `No letters could be made about the tickets ${[...faults.keys()]}`)
  }
}

/** Answers of how many events. */
async function tellOf(services: Teller, ticketId: number): Promise<number> {
  return await transaction(services.db, async db => {
    const [ticket] = await heldTicketOf(db, { ticket: ticketId })
    const events = ticket ? await takenEvents(db, ticketId, services.clock.now()) : []
    // What lies in the trash does not exist for anybody who would read of it.
    if (!ticket || events.length === 0 || ticket.trashed_at) return events.length

    await tellClient(services, db, ticket, events)
    const requestId = events.at(-1)!.request_id ?? undefined
    const name = { number: ticket.ticket_number, subject: ticket.subject }
    for (const { email, news } of await newsForStaff(db, ticket, events)) {
      const letter = { kind: 'staff-ticket', channel: 'mail', recipient: email, clientId: ticket.client_id } as const
      const marks = { thread: threadOf(ticket, false) }
      await postLetter(services, db, { ...letter, requestId, content: staffTicketLetter(name, news), marks })
    }
    return events.length
  })
}

async function tellClient(services: Teller, db: Db, ticket: TicketOfNews, events: readonly Happened[]): Promise<void> {
  const { email, is_active, ticket_letters, is_email_verified: isProven } = ticket
  const news = newsForClient(ticket, events)
  if (!news || !is_active || !ticket_letters) return
  if (!isProven && !(await mayWriteUnproven(db, ticket.client_id))) return

  await postLetter(services, db, {
    kind: 'client-ticket',
    channel: 'mail',
    recipient: email,
    clientId: ticket.client_id,
    requestId: events.at(-1)!.request_id ?? undefined,
    content: clientTicketLetter({ number: ticket.ticket_number, subject: ticket.subject }, news, isProven),
    marks: {
      thread: threadOf(ticket, news.openedBy !== undefined),
      stopUrl: stopUrl(services, { id: ticket.client_id, email })
    }
  })
}

async function mayWriteUnproven(db: Db, client: number): Promise<boolean> {
  return (await countUnproven(db, { client, most: maxUnprovenLetters })).length > 0
}

const countUnproven = prepared((db, p: { client: number; most: number }) =>
  db
    .updateTable('clients')
    .set(eb => ({ unproven_letters: eb('unproven_letters', '+', 1) }))
    .where('id', '=', p.client)
    .where('unproven_letters', '<', p.most)
    .returning('id')
)

function threadOf({ ticket_number, thread_id }: TicketOfNews, opens: boolean): Thread {
  return { id: `ticket-${ticket_number.slice(4)}.${thread_id}`, opens }
}
