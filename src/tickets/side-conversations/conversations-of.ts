import { type ExpressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Static } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { formatted } from '../../core/formatted-text/format.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { deliveryView, sentDeliveries } from '../threads/deliveries.ts'
import { anyPart } from '../ticket/merged-parts.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound, visibleTicketQuery } from '../ticket/ticket-for.ts'
import { readerVisibility } from '../ticket/visibility.ts'
import { requireConversation } from './conversation-for.ts'
import type { ConversationDetail, ConversationView } from './schemas.ts'
import { ownWaitingSideMessages, type WaitingSideMessageView } from './waiting-side-messages.ts'

const maxConversations = 100
const maxMessages = 500
const snippetCharacters = 160

/**
 * The side conversations of a ticket and of those merged into it, the newest first, and what the actor has written to third parties that has not gone.
 * Throws `TicketNotFound`.
 */
export async function conversationsOf(
  db: Db,
  actor: StaffActor,
  ref: TicketRef
): Promise<{ conversations: Static<typeof ConversationView>[]; waiting: Static<typeof WaitingSideMessageView>[] }> {
  const found = await listed(db, readerVisibility(actor), ref, {})
  if (!found) throw TicketNotFound()
  const waiting = await ownWaitingSideMessages(db, { ticket: found.id, staff: actor.id })
  return { conversations: found.conversations.map(viewOf), waiting }
}

/** A side conversation with its messages, oldest first. Throws `ConversationNotFound`. */
export async function conversationDetail(
  db: Db,
  actor: StaffActor,
  id: number
): Promise<Static<typeof ConversationDetail>> {
  await requireConversation(db, actor, id)
  const [[conversation], messages] = [await oneById(db, { id }), await messagesOf(db, { id })]
  const sent = await sentOf(db, { messages: messages.map(message => message.id) })
  const inThread = await messagesInThread(db, { conversation: id })
  return {
    conversation: {
      ...viewOf(conversation!),
      messages: messages.map(({ formatted_html, email_html, ...message }) => ({
        id: message.id,
        sender_type: message.sender_email === null ? ('staff' as const) : ('partner' as const),
        staff_id: message.staff_id,
        name: message.sender_name,
        email: message.sender_email,
        message: message.message,
        ...(email_html === null ? formatted(formatted_html) : { html: email_html }),
        quoted: message.quoted,
        is_automatic: bit(message.is_automatic),
        copies_client: bit(message.copies_client),
        forwarded: message.forwarded.map(({ message_id, by, text, at }) => ({ message_id, by, text, at })),
        attachments: message.attachments,
        deliveries: sent.filter(({ side_message_id }) => side_message_id === message.id).map(deliveryView),
        created_at: timestamp(message.created_at)
      })),
      messages_in_thread: inThread.map(message => ({ ...message, created_at: timestamp(message.created_at) }))
    }
  }
}

type Within = ExpressionBuilder<Tables & { conversation: Tables['side_conversations'] }, 'conversation'>

function columnsOf(db: Within) {
  return [
    db.ref('conversation.id').as('id'),
    db.ref('conversation.ticket_id').as('ticket_id'),
    sql<string>`(select ticket_number from tickets as holder where holder.id = conversation.ticket_id)`.as(
      'ticket_number'
    ),
    db.ref('conversation.subject').as('subject'),
    db.ref('conversation.waits').as('waits'),
    db.ref('conversation.is_closed').as('is_closed'),
    db.ref('conversation.is_answered').as('is_answered'),
    db.ref('conversation.created_at').as('created_at'),
    jsonArrayFrom(
      db
        .selectFrom('staff as starter')
        .whereRef('starter.id', '=', 'conversation.started_by')
        .select(['starter.id', 'starter.first_name', 'starter.last_name'])
    ).as('starters'),
    jsonArrayFrom(
      db
        .selectFrom('side_participants as person')
        .whereRef('person.conversation_id', '=', 'conversation.id')
        .select(['person.email', 'person.name', 'person.role'])
        .orderBy('person.id')
    ).as('participants'),
    sql<number>`(select count(*) from side_messages as counted where counted.conversation_id = conversation.id)`.as(
      'message_count'
    ),
    jsonArrayFrom(
      db
        .selectFrom('side_messages as last')
        .whereRef('last.conversation_id', '=', 'conversation.id')
        .select(['last.id', 'last.sender_name', 'last.sender_email', 'last.created_at'])
        .select(sql<string>`left(last.message, 400)`.as('beginning'))
        .orderBy('last.id', 'desc')
        .limit(1)
    ).as('last')
  ] as const
}

type Row = Awaited<ReturnType<typeof oneById>>[0]

function viewOf({ starters, last, ...row }: Row): Static<typeof ConversationView> {
  const [newest] = last
  return {
    ...row,
    waits: bit(row.waits),
    is_closed: bit(row.is_closed),
    is_answered: bit(row.is_answered),
    created_at: timestamp(new Date(row.created_at)),
    started_by: starters[0] ?? null,
    last_message: newest
      ? {
          id: newest.id,
          sender_type: newest.sender_email === null ? 'staff' : 'partner',
          name: newest.sender_name,
          snippet: [...newest.beginning.replace(/\s+/g, ' ').trim()].slice(0, snippetCharacters).join(''),
          created_at: timestamp(new Date(newest.created_at))
        }
      : null
  }
}

const oneById = prepared((db: Db, p: { id: number }) =>
  db
    .selectFrom('side_conversations as conversation')
    .where('conversation.id', '=', p.id)
    .select(db => columnsOf(db as Within))
)

const listed = visibleTicketQuery((tickets, _p: object) =>
  tickets.select(db => [
    'tickets.id',
    jsonArrayFrom(
      db
        .selectFrom('side_conversations as conversation')
        .where('conversation.ticket_id', '=', anyPart)
        .select(db => columnsOf(db as Within))
        .orderBy('conversation.id', 'desc')
        .limit(maxConversations)
    )
      .$castTo<Row[]>()
      .as('conversations')
  ])
)

/** The newest, in their order. */
const messagesOf = prepared((db: Db, p: { id: number }) =>
  db
    .selectFrom(db =>
      db
        .selectFrom('side_messages')
        .where('conversation_id', '=', p.id)
        .selectAll('side_messages')
        .orderBy('id', 'desc')
        .limit(maxMessages)
        .as('message')
    )
    .select(['message.id', 'message.staff_id', 'message.sender_name', 'message.sender_email', 'message.message'])
    .select(['message.formatted_html', 'message.email_html', 'message.quoted', 'message.is_automatic'])
    .select(['message.copies_client', 'message.forwarded', 'message.created_at'])
    .select(db =>
      jsonArrayFrom(
        db
          .selectFrom('ticket_attachments as file')
          .where(({ or, eb, ref }) =>
            or([
              eb('file.side_message_id', '=', ref('message.id')),
              eb('file.id', '=', sql<number>`any(message.forwarded_files)`)
            ])
          )
          .select(['file.id', 'file.file_name', 'file.file_path', 'file.file_size', 'file.file_type'])
          .orderBy('file.id')
      ).as('attachments')
    )
    .orderBy('message.id')
)

const messagesInThread = prepared((db: Db, p: { conversation: number }) =>
  db
    .selectFrom('side_conversations as conversation')
    .innerJoin('ticket_messages as message', join =>
      join.on('message.id', '=', sql<number>`any(conversation.client_message_ids)`)
    )
    .where('conversation.id', '=', p.conversation)
    .select(['message.id as message_id', 'message.created_at'])
    .select(sql<string>`message.sender_first_name || ' ' || message.sender_last_name`.as('name'))
    .orderBy('message.id')
    .limit(maxMessages)
)

const sentOf = prepared((db: Db, p: { messages: readonly number[] }) =>
  sentDeliveries(db)
    .where('sent.side_message_id', '=', sql<number>`any(${p.messages}::bigint[])`)
    // Of what was sent again the newest counts.
    .distinctOn(['sent.side_message_id', sql`lower(sent.recipient)`])
    .select(({ ref }) => [ref('sent.side_message_id').$notNull().as('side_message_id')])
    .orderBy('sent.side_message_id')
    .orderBy(sql`lower(sent.recipient)`)
    .orderBy('sent.id', 'desc')
)
