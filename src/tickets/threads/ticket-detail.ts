import { type ExpressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { StaffActor } from '../../core/actor.ts'
import { tokenOfName } from '../../core/audit/audit-actor.ts'
import type { Db } from '../../core/db.ts'
import { formatted } from '../../core/formatted-text/format.ts'
import type { EventCause } from '../../core/tables/events.ts'
import type { Tables } from '../../core/tables/tables.ts'
import type { Language } from '../../core/wording/languages.ts'
import { maxId } from '../../kit/schemas.ts'
import { timestamp } from '../../lib/time.ts'
import { draftsIn } from '../drafts/drafts.ts'
import { ownWaitingReplies } from '../drafts/waiting-replies.ts'
import { deskFields } from '../fields/shown-fields.ts'
import { followersOf } from '../followers/followers.ts'
import { recipientsOf, recipientsView } from '../followers/recipients.ts'
import { followerView } from '../followers/schemas.ts'
import { foundLinks, linksView } from '../links/linked-tickets.ts'
import { dueClockNow } from '../sla/shown-clock.ts'
import { clientAccess } from '../ticket/client-access.ts'
import { clientEmailAndReach } from '../ticket/client-email.ts'
import { anyPart } from '../ticket/merged-parts.ts'
import { queueRows, queueTicketView } from '../ticket/queue-ticket.ts'
import { reachOf } from '../ticket/reach.ts'
import type { AttachmentView, TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound, visibleTicketQuery } from '../ticket/ticket-for.ts'
import { isSeen, readerVisibility } from '../ticket/visibility.ts'
import { deliveriesOf } from './deliveries.ts'
import { followersNamed } from './follower-events.ts'
import { hideInvisibleTickets } from './merge-events.ts'
import { visibleEmails } from './message-email.ts'
import { earlierThan, entriesOfParts, filesOfNoMessage, messagesOnPage, pageViews } from './newest-entries.ts'

const shownEvents = 100

/** The ids before which messages, notes and events are shown. */
interface Before {
  messages?: number
  notes?: number
  events?: number
}

/**
 * All that staff see of a ticket: the thread and notes of it and of the tickets merged into it, its watchers and links, and the events of its own
 * timeline; of each the newest before the given ids, oldest first. Staff who may delete tickets see those in the trash too. The merge
 * target is named only to staff who see it, here and in the events. Throws `TicketNotFound`.
 */
export async function deskTicket(
  db: Db,
  actor: StaffActor,
  ref: TicketRef,
  { now, language }: { now: Date; language: Language },
  before: Before = {}
) {
  const visibility = readerVisibility(actor)
  const { messages: messagesBefore = maxId, notes: notesBefore = maxId, events: eventsBefore = maxId } = before
  // Read before the messages, so that a message that stopped a reply is among them.
  const waiting = await ownWaitingReplies(db, { staff: actor.id, ticket: null })
  const row = await detail(db, visibility, ref, { messagesBefore, notesBefore, eventsBefore })
  if (!row) throw TicketNotFound()

  const { messages, loose_files, newest, notes, events, watchers, sources, target, links, client_access, ...ticket } =
    row
  const messagesGoOn = earlierThan(messages)
  const numbers = new Map([ticket, ...sources].map(each => [each.id, each.ticket_number]))
  const shown = await followersNamed(db, events.slice(0, shownEvents).reverse())
  const emails = await visibleEmails(db, visibility, messages)
  const deliveries = await deliveriesOf(db, messages)
  const recipients = await recipientsOf(
    db,
    messages.map(({ id }) => id)
  )
  // Where replies go.
  const answered = target[0]?.id ?? ticket.id
  const clientFacts = await clientEmailAndReach(db, answered)
  const toldOf = await hideInvisibleTickets(db, visibility, shown, numbers)
  return {
    ticket: {
      ...queueTicketView(ticket),
      merged_into_id: target[0]?.id ?? null,
      sla: await dueClockNow(db, ticket.id, now),
      fields: await deskFields(db, ticket.id)
    },
    client_access,
    merged_into: target[0] ?? null,
    merged_sources: sources,
    ...linksView(links),
    watchers,
    followers: (await followersOf(db, answered)).map(followerView),
    client_email: clientFacts.client_email,
    reach: reachOf(clientFacts, language),
    drafts: await draftsIn(db, answered),
    waiting_replies: waiting.filter(({ ticket_id }) => ticket_id === answered || numbers.has(ticket_id)),
    messages: pageViews(messages, messagesGoOn === null ? loose_files : []).map(message => ({
      ...message,
      ...(emails.has(message.id) ? { email: emails.get(message.id)! } : {}),
      ...deliveriesShown(deliveries.get(message.id)),
      ...(recipients.has(message.id) ? { recipients: recipientsView(recipients.get(message.id)!) } : {}),
      ticket_number: numbers.get(message.ticket_id)!
    })),
    messages_before: messagesGoOn,
    last_message_id: newest,
    notes: notes.map(noteView),
    notes_before: earlierThan(notes),
    events: shown.map(({ cause, ...event }) => ({
      ...event,
      ...toldOf(event),
      actor_token: tokenOfName(event.actor_name),
      cause: shownCause(cause),
      created_at: timestamp(new Date(event.created_at))
    })),
    // The id before which earlier events are requested, if there are any.
    events_before: events.length > shownEvents ? shown[0]!.id : null
  }
}

function deliveriesShown(of: { deliveries: object[]; undelivered: object[] } | undefined) {
  return Object.fromEntries(Object.entries(of ?? {}).filter(([, found]) => found.length > 0))
}

interface Note {
  id: number
  ticket_id: number
  staff_id: number | null
  author_first_name: string
  author_last_name: string
  note: string
  formatted_html: string | null
  created_at: string | Date
  attachments: AttachmentView[]
}

/** A note for staff; clients never see it. */
export function noteView({ id, ticket_id, note, formatted_html, created_at, attachments, ...author }: Note) {
  return {
    id,
    ticket_id,
    author: { id: author.staff_id, first_name: author.author_first_name, last_name: author.author_last_name },
    note,
    ...formatted(formatted_html),
    created_at: timestamp(new Date(created_at)),
    attachments
  }
}

/** The macro or rule that made it happen; null for what somebody did by hand. */
function shownCause(cause: EventCause | null) {
  const { macro_id, rule_id, name = null, event_id = null, run_id = null } = cause ?? {}
  if (macro_id !== undefined) return { kind: 'macro' as const, id: macro_id, name, event_id: null, run_id: null }
  return rule_id === undefined ? null : { kind: 'rule' as const, id: rule_id, name, event_id, run_id }
}

type Within = ExpressionBuilder<Tables, 'tickets'>

type Pages = { messagesBefore: number; notesBefore: number; eventsBefore: number }

const detail = visibleTicketQuery((tickets, p: Pages, _db, boundVisibility) =>
  queueRows(tickets).select(db => [
    clientAccess.as('client_access'),
    messagesOnPage(db as Within, { id: p.messagesBefore }).as('messages'),
    filesOfNoMessage(db as Within).as('loose_files'),
    newestMessageOf(db as Within).as('newest'),
    notesOnPage(db as Within, p.notesBefore).as('notes'),
    eventsOf(db as Within, p.eventsBefore).as('events'),
    watchersOf(db as Within).as('watchers'),
    foundLinks(boundVisibility).as('links'),
    jsonArrayFrom(
      db
        .selectFrom('tickets as source')
        .whereRef('source.merged_into_id', '=', 'tickets.id')
        .select(['source.id', 'source.ticket_number', 'source.subject'])
        .orderBy('source.id')
    ).as('sources'),
    jsonArrayFrom(
      db
        .selectFrom('tickets as target')
        .whereRef('target.id', '=', 'tickets.merged_into_id')
        .where(isSeen(boundVisibility, 'target'))
        .select(['target.id', 'target.ticket_number', 'target.subject'])
    ).as('target')
  ])
)

function newestMessageOf(db: Within) {
  return db
    .selectFrom('ticket_messages as newest')
    .where('newest.ticket_id', '=', anyPart)
    .select(({ fn }) => fn.max('newest.id').as('id'))
}

function notesOnPage(db: Within, before: number) {
  return jsonArrayFrom(
    db
      .selectFrom('ticket_notes as note')
      .innerJoin(entriesOfParts('ticket_notes', { id: before }).as('placed'), 'placed.id', 'note.id')
      .select('placed.has_more')
      .select(['note.id', 'note.ticket_id', 'note.staff_id', 'note.author_first_name', 'note.author_last_name'])
      .select(['note.note', 'note.formatted_html', 'note.created_at'])
      .select(db =>
        jsonArrayFrom(
          db
            .selectFrom('ticket_attachments as file')
            .whereRef('file.note_id', '=', 'note.id')
            .select(['file.id', 'file.file_name', 'file.file_path', 'file.file_size', 'file.file_type'])
            .orderBy('file.id')
        ).as('attachments')
      )
      .orderBy('note.created_at')
      .orderBy('note.id')
  )
}

/** One more than is shown, newest first, to tell whether there are earlier ones. */
function eventsOf(db: Within, before: number) {
  return jsonArrayFrom(
    db
      .selectFrom('events as event')
      .whereRef('event.ticket_id', '=', 'tickets.id')
      .where('event.id', '<', before)
      // The messages show their deliveries.
      .where('event.kind', '<>', sql.lit('ticket.delivery_changed'))
      .select(['event.id', 'event.kind', 'event.actor_type', 'event.actor_id', 'event.actor_name'])
      .select(['event.before', 'event.after', 'event.ip_address', 'event.created_at', 'event.cause'])
      .orderBy('event.id', 'desc')
      .limit(db.lit(shownEvents + 1))
  )
}

/** A watcher of a ticket also watches its merge target. */
function watchersOf(db: Within) {
  return jsonArrayFrom(
    db
      .selectFrom('staff as watcher')
      .where('watcher.id', 'in', db =>
        db.selectFrom('ticket_watchers').where('ticket_watchers.ticket_id', '=', anyPart).select('staff_id')
      )
      .select(['watcher.id', 'watcher.first_name', 'watcher.last_name'])
      .orderBy('watcher.id')
  )
}
